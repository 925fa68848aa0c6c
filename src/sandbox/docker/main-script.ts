import { mainMark } from "./exec-script.ts";

/** What tells PID 1 to end everything else. Nobody else uses it; see `docker kill`. */
export const hushSignal = "SIGPROF";

/**
 * PID 1 of every container; its only argument is the life in seconds. In dash, bash and busybox.
 *
 * It survives `kill -9 -1` of its own user (the kernel shields PID 1 of a namespace; `--init` with `sleep` does not), reaps orphans, and
 * ends after its life is over, whatever becomes of us. Of the image's programs it starts `sleep` once, before anything of a task runs, and
 * none ever after: an agent may have replaced them. So whatever belongs to its session is itself or that `sleep`, and nobody else can join.
 *
 * On the signal it ends all others without starting anything, which no agent can prevent: it stops them first, so that none forks on, and
 * lets its `sleep` go on. Should somebody have killed that one, it waits on standard input, which stays open and silent, with the deadline
 * where the shell knows one (dash does not: only then a sweep has to end the container), and looks after orphans whenever a child ends.
 */
export const mainScript = `# ${mainMark}
PATH=/usr/bin:/bin:$PATH
read -r up rest </proc/uptime; end=$(( \${up%%.*} + $1 ))
hush() {
  kill -STOP -1
  for f in /proc/[0-9]*; do
    case \${f#/proc/} in 1|"$own") ;; *) kill -KILL "\${f#/proc/}" ;; esac
  done
  [ -z "$own" ] || kill -CONT "$own"
  jobs
} >/dev/null 2>&1
own=
trap 'again=1; hush' ${hushSignal.slice("SIG".length)}
sleep "$1" & own=$!
while again=; wait "$own"; code=$?; [ -n "$again" ]; do :; done
[ "$code" != 0 ] || exit 0
own=
trap : CHLD
timed=1; read -r -t 1 rest </dev/null 2>/dev/null; [ $? != 2 ] || timed=
while read -r up rest </proc/uptime && left=$(( end - \${up%%.*} )) && [ "$left" -gt 0 ]; do
  jobs >/dev/null 2>&1
  if [ -n "$timed" ]; then read -r -t "$left" rest; else read -r rest; fi
done`;
