// The stand-in of a recorded tool: a script for /bin/sh that needs `od`, `dd` and `date` beside it, so that it runs in every image. It
// works in dash, bash and busybox. Why a script and not a program: docs/decisions/0014-recorded-tools.md.

export interface Answer {
  readonly exit_code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ShimRequest {
  readonly tool: string;
  /** Absolute path of the log inside the sandbox. */
  readonly log: string;
  /** PATH without the stand-ins: a recorded `date` must not call itself. */
  readonly path: string;
  /** Where no response fits. */
  readonly fallback: Answer;
  readonly responses: readonly Answer[];
  /** Chooses a response: Node and the program, absolute. Undefined where there are no responses. */
  readonly responder: { readonly node: string; readonly program: string } | undefined;
}

/** Set in commands that are not the agent's: a stand-in answers them and records nothing. */
export const unrecordedVariable = "EVALBATCH_CLI_UNRECORDED";

/**
 * Text as the bytes it is in a JSON string. `od` gives numbers, since no shell can be trusted with bytes that are no characters; those
 * become lone surrogates (`\udcff`), as in Python. `pend` and `late` are an open sequence, to be printed as it is or byte by byte.
 * Nothing is forked per byte.
 */
const encode = String.raw`
hex() {
  x=
  for d in $(($1 / 16)) $(($1 % 16)); do
    case $d in 10) d=a ;; 11) d=b ;; 12) d=c ;; 13) d=d ;; 14) d=e ;; 15) d=f ;; esac
    x=$x$d
  done
}
encode() {
  case $1 in
    *$unsafe*) ;;
    *) printf '"%s"' "$1"; return ;;
  esac
  bytes=$(printf '%s' "$1" | od -An -v -tu1)
  [ -n "$bytes" ] || return
  out='"' pend= late= need=0 low=128 high=191
  for b in $bytes 0; do
    o="\\$((b / 64))$((b / 8 % 8))$((b % 8))"
    if [ $need -gt 0 ]; then
      if [ $b -ge $low ] && [ $b -le $high ]; then
        need=$((need - 1)) low=128 high=191
        if [ $need = 0 ]; then out=$out$pend$o pend= late=
        else pend=$pend$o late="$late $b"
        fi
        continue
      fi
      for l in $late; do hex $l; out="$out\\134udc$x"; done
      pend= late= need=0 low=128 high=191
    fi
    case $b in
      0) ;;
      34|92) out="$out\\134$o" ;;
      37) out=$out%% ;;
      9) out="$out\\134t" ;;
      10) out="$out\\134n" ;;
      13) out="$out\\134r" ;;
      [1-9]|1?|2?|30|31) hex $b; out="$out\\134u00$x" ;;
      *)
        if [ $b -lt 128 ]; then out=$out$o
        else
          if [ $b -ge 194 ] && [ $b -le 223 ]; then need=1
          elif [ $b -ge 224 ] && [ $b -le 239 ]; then need=2
          elif [ $b -ge 240 ] && [ $b -le 244 ]; then need=3
          fi
          case $b in 224) low=160 ;; 237) high=159 ;; 240) low=144 ;; 244) high=143 ;; esac
          if [ $need = 0 ]; then hex $b; out="$out\\134udc$x"
          else pend=$o late=$b
          fi
        fi ;;
    esac
    if [ LENGTH -gt 4000 ]; then printf "$out"; out=; fi
  done
  printf "$out\""
}`.replace("LENGTH", "$" + "{#out}");

/**
 * A line is one write, whoever else writes at the same time: a short one by the shell itself, a long one by `dd`, which collects it
 * first. A log that is gone is not made anew: what it held is lost, and the criterion must know.
 */
const append = `
append() {
  [ -f "$log" ] || return 1
  if [ \${#line} -lt 900 ]; then printf '%s' "$line$nl" >>"$log"
  else printf '%s' "$line$nl" | dd ibs=65536 obs=8388608 >>"$log"
  fi
}`;

/** The script's text. Pure. */
export function shimScript(request: ShimRequest): string {
  const { tool, log, path, fallback, responses, responder } = request;
  return `#!/bin/sh
# Stands in for '${tool}': records the call, and answers as the task says.
log=${quoted(log)}
PATH=${quoted(path)} LC_ALL=C; export PATH LC_ALL
IFS=' 	
'
nl='
'
# Anything but plain printable characters.
unsafe='[!]A-Za-z0-9 #$%&()*+,./:;<=>?@^_{|}~!-]'
${encode}
${append}
argv= extra=
for word; do
  json=$(encode "$word")
  if [ -z "$json" ]; then json='""' extra=',"sidecar_error":"od is missing: arguments could not be recorded"'; fi
  argv=$argv\${argv:+,}$json
done
answer=none
${responder === undefined ? "" : choice(responder)}
case $answer in
${responses.map((response, index) => `  'rule ${index}') exit=${response.exit_code} ;;`).join("\n")}
  *) exit=${fallback.exit_code} ;;
esac
line="{\\"ts\\":\\"$(date -u +%Y-%m-%dT%H:%M:%SZ)\\",\\"tool\\":\\"${tool}\\",\\"argv\\":[$argv],\\"exit\\":$exit$extra}"
if [ -z "\${${unrecordedVariable}-}" ]; then (append || true >"$log.error") 2>/dev/null; fi
case $answer in
${responses.map((response, index) => `  'rule ${index}') ${prints(response)} ;;`).join("\n")}
  *) ${prints(fallback)} ;;
esac
exit $exit
`;
}

/** The same for a shell of Windows. */
export function shimTwin(tool: string): string {
  return `@sh "%~dp0${tool}" %*\r\n`;
}

function choice({ node, program }: { readonly node: string; readonly program: string }): string {
  return `
answer=$(printf '%s' "[$argv]" | NODE_OPTIONS= NODE_COMPILE_CACHE= ${quoted(node)} ${quoted(program)} 2>/dev/null)
case $answer in
  none) ;;
  'rule '*) extra=$extra',"rule":'\${answer#rule } ;;
  'error '*) extra=$extra',"rule_error":'\${answer#error } ;;
  *) extra=$extra',"sidecar_error":"Node could not choose a response"' ;;
esac`;
}

function prints({ stdout, stderr }: Answer): string {
  const parts = [...(stdout === "" ? [] : [`printf ${format(stdout)}`]), ...(stderr === "" ? [] : [`printf ${format(stderr)} >&2`])];
  return parts.length === 0 ? ":" : parts.join("; ");
}

/** A word of the shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A format of `printf` that prints the text and nothing else, NUL included. */
function format(text: string): string {
  const escaped = text
    .replaceAll("\\", "\\\\")
    .replaceAll("%", "%%")
    .replaceAll("'", "\\047")
    .replaceAll("\0", "\\000")
    .replace(/^-/, "\\055");
  return `'${escaped}'`;
}
