expected=backup-2026-01-31.tar
found=$(sh backup-name.sh 2026-01-31)
if [ "$found" != "$expected" ]; then
  echo "expected $expected, found $found"
  exit 1
fi
echo ok
