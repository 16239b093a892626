#!/bin/sh
# Starts Ralph with the first node on PATH that is new enough. POSIX sh; needs no npm install.

# true for v20.19.0 and newer
new_enough() {
  case $1 in
    v[0-9]*.[0-9]*) ;;
    *) return 1 ;;
  esac
  major=${1#v}
  minor=${major#*.}
  major=${major%%.*}
  minor=${minor%%.*}
  case $major$minor in
    *[!0-9]*) return 1 ;;
  esac
  [ "$major" -gt 20 ] || { [ "$major" -eq 20 ] && [ "$minor" -ge 19 ]; }
}

# Only absolute entries of PATH, and not those of npm: in the others a project could have put a node of its own.
node=
found=
rest=$PATH:
while [ -n "$rest" ]; do
  entry=${rest%%:*}
  rest=${rest#*:}
  case $entry in
    */node_modules/.bin) continue ;;
    /*) ;;
    *) continue ;;
  esac
  [ -f "$entry/node" ] && [ -x "$entry/node" ] || continue
  version=$("$entry/node" --version 2>/dev/null </dev/null)
  if new_enough "$version"; then
    node=$entry/node
    break
  fi
  found=${found:-" (found ${version:-a node that does not start} in $entry)"}
done

if [ -z "$node" ]; then
  printf 'ralph: Node.js 20.19 or newer is not on PATH%s; install it from https://nodejs.org\n' "$found" >&2
  exit 3
fi

# With this variable node 20 starts three times slower, and Ralph itself talks to no server. It is handed over under
# another name and given back to everything that Ralph starts.
unset RALPH_SAVED_NODE_EXTRA_CA_CERTS
if [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then
  RALPH_SAVED_NODE_EXTRA_CA_CERTS=$NODE_EXTRA_CA_CERTS
  export RALPH_SAVED_NODE_EXTRA_CA_CERTS
  unset NODE_EXTRA_CA_CERTS
fi

# This very file, through any chain of links (readlink -f is not everywhere, and PATH may be all but empty).
self=$0
while [ -h "$self" ]; do
  link=$(readlink "$self" 2>/dev/null || command -p readlink "$self") || break
  case $link in
    /*) self=$link ;;
    *) self=${self%"${self##*/}"}$link ;;
  esac
done
case $self in
  */*) ;;
  *) self=./$self ;;
esac
here=$(CDPATH='' cd -P -- "${self%/*}/" && pwd -P) || exit 3
if [ ! -f "$here/ralph.mjs" ]; then
  printf 'ralph: there is no ralph.mjs in %s; make a link to ralph.sh instead of a copy\n' "$here" >&2
  exit 3
fi

exec "$node" "$here/ralph.mjs" "$@"
