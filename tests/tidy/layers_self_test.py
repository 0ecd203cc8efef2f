#!/usr/bin/env python3
"""The layers check must be able to fail: it is run on a tree with a planted include that points up."""
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import layers  # noqa: E402

with tempfile.TemporaryDirectory() as folder:
    root = pathlib.Path(folder)
    (root / "engine").mkdir()
    planted = root / "engine" / "planted.hpp"
    planted.write_text('#include "protocol/reply_sink.hpp"\n#include <boost/asio.hpp>\n')
    found = list(layers.violations(root))
    assert len(found) == 2, found
    planted.write_text('#include "base/clock.hpp"\n')
    assert not list(layers.violations(root))
print("layers: a planted include is caught")
