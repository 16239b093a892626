#!/bin/sh
# The same as: ralph.sh init

# This very file, through any chain of links (readlink -f is not everywhere, and PATH may be all but empty).
self=$0
while [ -h "$self" ]; do
  link=$(readlink "$self" 2>/dev/null || command -p readlink "$self") || break
  case $link in
    /*) self=$link ;;
    *) self=${self%"${self##*/}"}$link ;;
  esac
done
exec "${self%"${self##*/}"}./ralph.sh" init "$@"
