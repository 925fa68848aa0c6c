# Prints the name of the backup of a day.
echo "backup_$1.tar"
