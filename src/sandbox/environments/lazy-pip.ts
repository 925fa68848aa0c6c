/**
 * `site-packages/pip/__init__.py` of a fresh environment: it unpacks the pip that came with Python when somebody first asks for it.
 * Installing pip into every environment takes 4 to 5 seconds, most tasks never use it, and an environment made by uv has none at all.
 * `python -m pip` and `import pip` both run this file first; it is overwritten by the real one, which is then loaded in its place.
 */
export const lazyPipSource = `"""pip, unpacked from the copy that came with Python when it is first used."""


def _unpack():
    import glob
    import importlib
    import os
    import shutil
    import sys
    import sysconfig
    import tempfile
    import zipfile

    here = os.path.dirname(os.path.abspath(__file__))
    site = os.path.dirname(here)
    places = [sysconfig.get_config_var("WHEEL_PKG_DIR")]
    try:
        import ensurepip

        places.append(os.path.join(os.path.dirname(ensurepip.__file__), "_bundled"))
    except ImportError:
        pass
    wheels = [wheel for place in places if place for wheel in sorted(glob.glob(os.path.join(place, "pip-*.whl")))]
    if not wheels:
        sys.exit("pip is not available: this Python comes without ensurepip (on Debian: apt-get install python3-venv)")
    fresh = tempfile.mkdtemp(prefix=".pip-", dir=site)
    try:
        with zipfile.ZipFile(wheels[-1]) as wheel:
            wheel.extractall(fresh)
        for name in os.listdir(fresh):
            shutil.copytree(os.path.join(fresh, name), os.path.join(site, name), dirs_exist_ok=True)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    importlib.invalidate_caches()
    return os.path.join(here, "__init__.py")


def _load(path):
    with open(path, encoding="utf-8") as file:
        exec(compile(file.read(), path, "exec"), globals())


_load(_unpack())
`;

/** `bin/pip`: no interpreter line with a path, so that neither its length nor a space in it matters. */
export const pipScript = `#!/bin/sh
exec "$(dirname -- "$0")/python" -m pip "$@"
`;
