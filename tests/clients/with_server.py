#!/usr/bin/env python3
"""with_server.py COMMAND…: runs it with the port of a server of its own in MORTISE_PORT.

The exit code is the command's, or 1 when the server crashed or did not end well.
"""

import os
import subprocess
import sys

from local_server import LocalServer


def main():
    server = LocalServer()
    code = subprocess.call(sys.argv[1:], env={**os.environ, "MORTISE_PORT": str(server.port)})
    try:
        server.stop()
    except RuntimeError as failure:
        print(failure, file=sys.stderr)
        return 1
    return code


if __name__ == "__main__":
    sys.exit(main())
