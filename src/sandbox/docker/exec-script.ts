// The script that runs every command. It needs /bin/sh and `sleep`, nothing else, and works in dash, bash and busybox.
//
// An exec is the leader of a session and process group of its own, so "the process group" is this script's. The command runs in the
// foreground (a shell's background commands ignore SIGINT, and all that they start would inherit it), a watchdog beside it. The watchdog
// is told to go by SIGVTALRM, which nobody else uses and this script does not trap (so that it cannot get lost in a fork); its status says
// whether the deadline had passed: then what is left of the group gets the rest of its grace and SIGKILL, this script with it.
//
// Before anything else it looks whether PID 1 is ours: an engine that was started in a `chroot` joins only the container's process ids, and
// the command would run on the files of the host. On a busy machine PID 1 may be the engine's own program a moment longer, so it is asked
// some times. The first line carries an id that tells our own execs apart in /proc.

/** First words of PID 1's script (`main-script.ts`), by which a command knows that it is where it should be. */
export const mainMark = "evalbatch-main";

/** What a script says, after its id, when PID 1 is not ours. */
export const outsideMark = "outside of the container";

/** Seconds between SIGTERM and SIGKILL. */
export const graceSeconds = 5;

const body = `
_eb_n=0
until read -r _eb_l </proc/1/cmdline; case $_eb_l in *MAIN*) true ;; *) false ;; esac; do
[ $_eb_n -lt 5 ] || { echo "$4" OUTSIDE; exit 125; }
_eb_n=$(( _eb_n + 1 )); sleep 1
done
_eb_t=$1 _eb_whole=$2; cd "$3" || exit 126
shift 4; unset OLDPWD
trap : HUP INT QUIT TERM USR1
(
  PATH=/usr/bin:/bin:$PATH
  trap '' HUP INT QUIT TERM PIPE USR1 USR2
  trap 'kill -KILL $!; wait $!; exit 0' VTALRM
  sleep "$_eb_t" & wait $!
  case $? in 0) ;; 1|2) sleep "$_eb_whole" & wait $! || exit 0 ;; *) exit 0 ;; esac
  trap 'kill -KILL -$$' EXIT
  trap 'trap - EXIT; kill -KILL $!; wait $!; exit 75' VTALRM
  kill -TERM -$$
  sleep GRACE & wait $!
) </dev/null >/dev/null 2>&1 &
_eb_w=$!
exec 3>&2 2>/dev/null
( exec "$@" 2>&3 3>&- )
_eb_rc=$?
kill -VTALRM $_eb_w; wait $_eb_w
[ $? = 75 ] || exit $_eb_rc
_eb_others() {
  for _eb_f in /proc/[0-9]*/stat; do
    read -r _eb_l <$_eb_f || continue
    set -- $_eb_f \${_eb_l##*) }
    [ "$4" = $$ ] && [ "$2" != Z ] && [ "$1" != /proc/$$/stat ] && return 0
  done
  return 1
}
_eb_n=0
while [ $_eb_n -lt GRACE ] && _eb_others; do sleep 1; _eb_n=$(( _eb_n + 1 )); done
kill -KILL -$$
`
  .replaceAll("GRACE", String(graceSeconds))
  .replace("OUTSIDE", outsideMark)
  .replace("MAIN", mainMark);

export interface ScriptRequest {
  /** Letters and digits. */
  readonly id: string;
  readonly timeoutMs: number;
  /** Absolute. */
  readonly cwd: string;
  readonly command: readonly string[];
}

/** argv for an exec of the command with a deadline of its own. Exit 137 at or after the deadline means that it fired. */
export function execArguments(request: ScriptRequest): string[] {
  const seconds = Math.max(0.001, request.timeoutMs / 1000);
  // Not every `sleep` knows fractions: then the deadline is rounded up.
  return [
    "/bin/sh",
    "-c",
    `# ${request.id}${body}`,
    "evalbatch",
    String(seconds),
    String(Math.ceil(seconds)),
    request.cwd,
    request.id,
    ...request.command,
  ];
}

// Looks a second time: the other exec may be about to begin.
const killBody = `
for again in 1 2; do
  for f in /proc/[0-9]*/cmdline; do
    read -r l <"$f"
    case $l in *"$1"*) n=\${f#/proc/}; n=\${n%/cmdline}; found="$found -$n" ;; esac
  done 2>/dev/null
  [ -z "$found" ] || break
  sleep 0.5 || sleep 1
done
[ -n "$found" ] || exit 0
if [ "$2" != 0 ]; then kill -TERM $found; sleep "$2"; fi
kill -KILL $found
exit 0
`;

/** argv for an exec that ends another one: SIGTERM to its group, SIGKILL after so many seconds (0: at once). */
export function killArguments(id: string, afterSeconds: number): string[] {
  return ["/bin/sh", "-c", `# end${killBody}`, "evalbatch", id, String(afterSeconds)];
}
