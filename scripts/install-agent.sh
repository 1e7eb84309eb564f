#!/bin/sh
# Installs the agent of Slipway for the user who runs this:
#
#   curl -fsS @BASE_URL@/agent/install.sh | sh
#   curl -fsS @BASE_URL@/agent/install.sh | sh -s -- --prefix /opt/slipway
#
# Options:
#   --prefix DIRECTORY   where to install (~/.slipway)
#   --help
#
# It needs Node.js 20.19 or newer, git, and curl or wget. It writes PREFIX/agent/slipway-agent.mjs and the command
# PREFIX/bin/slipway-agent, nothing else. Run it again to update; remove both files to uninstall.
set -eu

base_url=@QUOTED_BASE_URL@
needed_node=20.19

fail() {
  printf 'slipway-agent: %s\n' "$*" >&2
  exit 1
}

# A text as one word of a shell.
quoted() {
  case $1 in
    '' | *[!A-Za-z0-9/._:-]*) ;;
    *) printf '%s' "$1" && return ;;
  esac
  printf "'"
  printf '%s' "$1" | sed "s/'/'\\\\''/g"
  printf "'"
}

fetch() { # path on the server, file
  if command -v curl >/dev/null 2>&1; then
    curl -fsSL --retry 2 --connect-timeout 10 --max-time 300 -o "$2" "$base_url$1"
  elif command -v wget >/dev/null 2>&1; then
    wget -q --tries 3 --timeout 60 -O "$2" "$base_url$1"
  else
    fail 'curl or wget is needed to download the agent'
  fi || fail "$base_url$1 cannot be downloaded"
}

sha256_of() { # file
  "$node" -e 'process.stdout.write(require("crypto").createHash("sha256").update(require("fs").readFileSync(process.argv[1])).digest("hex"))' "$1"
}

# Downloads the agent and its checksum into $work; false if they do not belong together.
fetch_agent() {
  fetch /agent/slipway-agent.mjs.sha256 "$work/sha256"
  expected=$(sed -n 's/^\([0-9a-f]\{64\}\)  *slipway-agent\.mjs$/\1/p' "$work/sha256")
  [ -n "$expected" ] || fail "$base_url/agent/slipway-agent.mjs.sha256 is not a checksum"
  fetch /agent/slipway-agent.mjs "$work/slipway-agent.mjs"
  [ "$(sha256_of "$work/slipway-agent.mjs")" = "$expected" ]
}

write_command() { # file
  cat >"$1" <<STARTER
#!/bin/sh
# Starts the agent of Slipway; written by $base_url/agent/install.sh
#   slipway-agent start --token TOKEN --queue default
# The agent token comes from --token or --token-file, else from BUILDKITE_AGENT_TOKEN or BUILDKITE_AGENT_TOKEN_FILE,
# else from the file agent/token of this installation.
set -eu
prefix=$(quoted "$prefix")
node=$(quoted "$node")
endpoint=$(quoted "$base_url/v3")
[ -x "\$node" ] || node=node
export BUILDKITE_AGENT_ENDPOINT="\${BUILDKITE_AGENT_ENDPOINT:-\$endpoint}"
if [ -z "\${BUILDKITE_AGENT_TOKEN:-}\${BUILDKITE_AGENT_TOKEN_FILE:-}" ] && [ -f "\$prefix/agent/token" ]; then
  case " \$* " in
    *' --token'*) ;;
    *) BUILDKITE_AGENT_TOKEN_FILE=\$prefix/agent/token && export BUILDKITE_AGENT_TOKEN_FILE ;;
  esac
fi
exec "\$node" "\$prefix/agent/slipway-agent.mjs" "\$@"
STARTER
  chmod 755 "$1"
}

# A function, so that a script that was cut off on its way does nothing.
main() {
  prefix=${HOME:+$HOME/.slipway}
  while [ $# -gt 0 ]; do
    case $1 in
      --prefix)
        [ $# -ge 2 ] || fail '--prefix needs a directory'
        prefix=$2
        shift 2
        ;;
      --prefix=*)
        prefix=${1#--prefix=}
        shift
        ;;
      --help | -h)
        printf 'Usage: install.sh [--prefix DIRECTORY]\nInstalls the agent of Slipway from %s (default directory: ~/.slipway).\n' "$base_url"
        exit 0
        ;;
      *) fail "unknown option $1 (there is --prefix DIRECTORY)" ;;
    esac
  done
  [ -n "$prefix" ] || fail 'HOME is not set: name a directory with --prefix'

  node=$(command -v node) || fail "Node.js $needed_node or newer is needed, and there is no node on the PATH: see https://nodejs.org/en/download"
  version=$("$node" --version) || fail "$node does not run"
  # shellcheck disable=SC2046 # two words, both digits
  set -- $(printf '%s' "$version" | sed -n 's/^v\([0-9]*\)\.\([0-9]*\)\..*$/\1 \2/p')
  [ $# -eq 2 ] && { [ "$1" -gt 20 ] || { [ "$1" -eq 20 ] && [ "$2" -ge 19 ]; }; } ||
    fail "Node.js $needed_node or newer is needed; $node is $version"
  command -v git >/dev/null 2>&1 || fail 'git is needed for checkouts, and there is none on the PATH'

  mkdir -p "$prefix/agent" "$prefix/bin" 2>/dev/null || fail "$prefix cannot be written: choose another directory with --prefix"
  prefix=$(cd "$prefix" && pwd)
  work=$(mktemp -d "$prefix/agent/.install.XXXXXX") || fail "$prefix/agent cannot be written: choose another directory with --prefix"
  trap 'rm -rf "$work"' EXIT
  trap 'exit 1' HUP INT TERM

  # A server that is being updated may answer with the checksum of one version and the file of the other.
  fetch_agent || fetch_agent || fail 'the downloaded agent does not match its checksum: nothing was installed'
  version=$("$node" "$work/slipway-agent.mjs" --version) || fail 'the downloaded agent does not start: nothing was installed'

  agent=$prefix/agent/slipway-agent.mjs
  if [ -f "$agent" ] && cmp -s "$agent" "$work/slipway-agent.mjs"; then
    done="slipway-agent $version is installed already"
  else
    chmod 644 "$work/slipway-agent.mjs"
    mv -f "$work/slipway-agent.mjs" "$agent"
    done="slipway-agent $version is installed"
  fi
  write_command "$work/slipway-agent"
  mv -f "$work/slipway-agent" "$prefix/bin/slipway-agent"

  cat <<NEXT
$done in $prefix
Start an agent with a token of its cluster:

  $(quoted "$prefix/bin/slipway-agent") start --token TOKEN --queue default

The token may also stand in BUILDKITE_AGENT_TOKEN, or in the file $prefix/agent/token.
NEXT
}

main "$@"
