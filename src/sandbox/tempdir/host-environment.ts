/**
 * What a process of the tempdir driver gets to see of the host's environment. A list of what is let in, not of what is kept out: tokens and
 * the runner's own variables (`GITHUB_TOKEN`, `ACTIONS_*`, `INPUT_*`, `RUNNER_*`) must not reach a task, whatever their names will be.
 * coder_eval hands over everything; a task that needs more names it (`env_passthrough`).
 */
const passed: ReadonlySet<string> = new Set([
  // who and where
  ...["HOME", "USER", "LOGNAME", "SHELL", "PATH", "TMPDIR", "TZ", "TERM", "LANG", "LANGUAGE"],
  // without these nothing reaches a network that has a proxy or its own certificates
  ...["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "no_proxy", "all_proxy"],
  ...["SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "GIT_SSL_CAINFO", "PIP_CERT"],
  // where tool chains live: paths, no secrets
  ...["JAVA_HOME", "DOTNET_ROOT", "PYENV_ROOT", "NVM_DIR", "CARGO_HOME", "RUSTUP_HOME", "GOROOT", "GOPATH"],
  ...["XDG_CACHE_HOME", "UV_CACHE_DIR", "PIP_CACHE_DIR"],
]);

const defaultPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** The part of the host's environment that every process of a tempdir sandbox has; PATH is always there. */
export function hostEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const out: Record<string, string> = { PATH: defaultPath };
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && (passed.has(name) || name.startsWith("LC_"))) out[name] = value;
  }
  return out;
}
