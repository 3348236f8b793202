"""Nothing that a file holds can be run, and nothing is fetched unless it was asked for."""

import ast
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "outclass"
CALLS = {"eval", "exec", "compile", "__import__", "os.system", "os.popen", "yaml.load", "joblib.load", "torch.load"}
CALLS |= {"subprocess.getoutput", "subprocess.getstatusoutput", "np.load", "numpy.load", "pd.read_pickle", "input"}
MODULES = {
    "pickle",
    "marshal",
    "shelve",
    "dill",
    "cloudpickle",
    "yaml",
    "code",
    "runpy",
    "pty",
    "xmlrpc",
    "telnetlib",
    "ftplib",
}
# The corpora of the papers, from the libraries' own loaders, when a study is asked for without a folder.
NETWORK = {"urllib.request", "requests", "httpx", "socket", "http.client", "aiohttp"}


def test_nothing_is_evaluated() -> None:
    """No eval, exec, pickle, marshal, yaml, shell or the like, however it is imported."""
    seen = 0
    for path in SOURCE.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                seen += 1
                called = ast.unparse(node.func)
                assert called not in CALLS, f"{path}:{node.lineno} calls {called}"
                assert not called.endswith((".to_pickle", ".loads_pickle", ".allow_pickle")), f"{path}:{node.lineno}"
                for keyword in node.keywords:
                    on = isinstance(keyword.value, ast.Constant) and keyword.value.value
                    assert not (keyword.arg in ("shell", "allow_pickle") and on), f"{path}:{node.lineno}"
            if isinstance(node, ast.Import):
                names = {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                names = {node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)}
                assert not {"os.system", "os.popen"} & names, path
            else:
                continue
            if path.name == "child.py":
                names -= {"cloudpickle"}  # between a process and the child that it started itself, never from a file
            if path.name == "sent_joint.py":
                names -= {"pickle"}  # within what somebody pickles and loads himself: no file is read here
            assert not {name.partition(".")[0] for name in names} & MODULES, f"{path} imports {names}"
            assert not names & NETWORK, f"{path} imports {names}"
    assert seen > 1_000


NO_NETWORK = """
import socket, sys
def refuse(*what, **more):
    raise AssertionError("a socket was asked for")
class Closed(socket.socket):
    def __init__(self, family=-1, *what, **more):
        # Processes of one machine may speak to each other.
        if family != socket.AF_UNIX:
            refuse()
        super().__init__(family, *what, **more)
socket.socket = Closed
socket.create_connection = socket.getaddrinfo = socket.gethostbyname = refuse
from outclass.cli.entry import _run
for line in sys.stdin:
    sys.argv = ["outclass", *line.split()]
    status = _run()
    assert status == int(sys.argv and EXPECTED), (line, status)
"""
COMMANDS = """\
compare p.csv --truth gold -o o.json --report r.html
evaluate p.csv --truth gold -o o.csv
test p.csv --truth gold -o o.md
rank p.csv --truth gold --draws 200 -o o.tex
update s.json p.csv --truth gold -o o.json
plot p.csv --truth gold -o o.svg
plan --prevalence 0.3 --recall-a 0.8 --recall-b 0.6 --fpr-a 0.05 --fpr-b 0.1 --n 100 --sets 20 --jobs 1 -o o.json
"""
ELSEWHERE = """\
compare https://example.org/p.csv --truth gold
compare s3://bucket/p.parquet --truth gold
compare hf://datasets/x/p.parquet --truth gold
evaluate http://127.0.0.1:9/p.csv --truth gold
update https://example.org/s.json p.csv --truth gold
"""


def test_no_network(tmp_path: Path) -> None:
    """Every command answers without a socket; what lies elsewhere is refused without one."""
    (tmp_path / "p.csv").write_text("gold,a,b\n" + "1,1,0\n0,0,0\n1,1,1\n0,1,0\n" * 10)
    for expected, commands in (("0", COMMANDS), ("2", ELSEWHERE)):
        result = subprocess.run(
            [sys.executable, "-c", NO_NETWORK.replace("sys.argv and EXPECTED", expected)],
            input=commands,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        assert result.returncode == 0, result.stderr[-3000:]
        assert "a socket was asked for" not in result.stderr
