"""Real servers for the tests, on loopback: PostgreSQL, and a Spark cluster of a master and two workers."""

import json
import os
import pwd
import shutil
import signal
import socket
import subprocess
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

PATIENCE = 120.0  # seconds until a server must answer
# Tests live for seconds: what Java does for processes that live for days would cost more than it gains.
QUICK_JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(what: str, ready: Callable[[], Any]) -> Any:
    """Ask again and again until there is an answer."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            if found := ready():
                return found
        except (OSError, ValueError):
            pass
        time.sleep(0.1)
    pytest.fail(f"{what} did not come up within {PATIENCE:.0f} s")


def program(name: str, *places: Path) -> str:
    """Return the path of a program; without it skip, which fails in CI."""
    found = shutil.which(name) or next((str(place / name) for place in places if (place / name).exists()), None)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


@dataclass(frozen=True)
class Postgres:
    """A server of its own, with a log of every statement."""

    url: str
    log: Path
    start: Callable[[], None]
    stop: Callable[[signal.Signals], None]  # SIGINT is a fast shutdown, SIGQUIT an immediate one


@contextmanager
def postgres(folder: Path) -> Iterator[Postgres]:
    """Start PostgreSQL in a folder, and stop it at the end."""
    binaries = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    initdb, server = program("initdb", *binaries), program("postgres", *binaries)
    port, log = free_port(), folder / "server.log"
    data = folder / "data"
    data.mkdir(mode=0o700)
    as_user: dict[str, Any] = {}
    if os.geteuid() == 0:
        # It refuses to run as root.
        nobody = pwd.getpwnam("nobody")
        as_user = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        for path in (data, folder):
            os.chown(path, nobody.pw_uid, nobody.pw_gid)
        for path in folder.parents:
            if path.stat().st_uid == 0 and path != Path("/"):
                path.chmod(path.stat().st_mode | 0o011)
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    subprocess.run(
        [initdb, "-D", data, "-U", "tester", "--auth=trust", "--no-sync"], check=True, cwd=folder, **quiet, **as_user
    )
    options = [
        f"port={port}",
        "listen_addresses=127.0.0.1",
        f"unix_socket_directories={folder}",
        "log_statement=all",
        "fsync=off",
    ]
    running: list[subprocess.Popen[bytes]] = []

    def start() -> None:
        ready = b"ready to accept connections"
        before = log.read_bytes().count(ready) if log.exists() else 0
        with log.open("ab") as stream:
            command = [server, "-D", data, *(part for option in options for part in ("-c", option))]
            running.append(subprocess.Popen(command, cwd=folder, stdout=stream, stderr=stream, **as_user))
        wait_for("PostgreSQL", lambda: log.read_bytes().count(ready) > before)

    def stop(how: signal.Signals) -> None:
        process = running.pop()
        process.send_signal(how)
        process.wait(30)

    start()
    try:
        yield Postgres(f"postgresql://tester@127.0.0.1:{port}/postgres", log, start, stop)
    finally:
        if running:
            stop(signal.SIGINT)


@dataclass
class Cluster:
    """A Spark cluster: where its master is, its workers, and where its applications' events are written."""

    master: str
    workers: list["subprocess.Popen[bytes]"]
    events: Path
    environment: dict[str, str]
    ui: int
    start_worker: Callable[[], None]

    def kill_worker(self) -> None:
        """Kill a worker and its executors at once, as a machine that dies would."""
        dying = self.workers.pop(0)
        os.killpg(dying.pid, signal.SIGKILL)
        dying.wait()

    def tasks(self, application: Path) -> list[dict[str, Any]]:
        """Return the ends of tasks that an application has written down."""
        events = [json.loads(line) for line in application.read_text().splitlines()]
        return [event for event in events if event["Event"] == "SparkListenerTaskEnd"]

    def finished_tasks(self) -> int:
        """Return how many tasks of the running application are done, by its own page."""
        base = f"http://127.0.0.1:{self.ui}/api/v1/applications"
        with urllib.request.urlopen(base, timeout=5) as stream:
            application = json.load(stream)[0]["id"]
        with urllib.request.urlopen(f"{base}/{application}/stages", timeout=5) as stream:
            return sum(stage["numCompleteTasks"] for stage in json.load(stream))


@contextmanager
def spark(folder: Path) -> Iterator[Cluster]:
    """Start a master and two workers of one core each, as separate processes, and stop them at the end."""
    import pyspark

    program("java")
    home = Path(pyspark.__file__).parent
    port, page, ui = free_port(), free_port(), free_port()
    events, settings = folder / "events", folder / "conf"
    events.mkdir()
    settings.mkdir()
    (settings / "spark-defaults.conf").write_text(
        f"spark.eventLog.enabled true\nspark.eventLog.dir {events.as_uri()}\nspark.eventLog.compress false\n"
        f"spark.ui.port {ui}\nspark.driver.host 127.0.0.1\nspark.driver.bindAddress 127.0.0.1\n"
        "spark.eventLog.rolling.enabled false\nspark.executor.memory 512m\nspark.sql.shuffle.partitions 4\n"
    )
    environment = os.environ | {
        "SPARK_HOME": str(home),
        "SPARK_CONF_DIR": str(settings),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_LOCAL_DIRS": str(folder / "local"),
        "JDK_JAVA_OPTIONS": QUICK_JAVA,
    }
    log = (folder / "cluster.log").open("wb")

    def start(*arguments: str) -> "subprocess.Popen[bytes]":
        command = [str(home / "bin" / "spark-class"), *arguments]
        # In a session of its own, so that it can be killed with all its children.
        return subprocess.Popen(command, env=environment, stdout=log, stderr=log, start_new_session=True)

    package = "org.apache.spark.deploy"
    master = start(f"{package}.master.Master", "--host", "127.0.0.1", "--port", str(port), "--webui-port", str(page))
    address = f"spark://127.0.0.1:{port}"

    def status() -> Any:
        with urllib.request.urlopen(f"http://127.0.0.1:{page}/json/", timeout=5) as stream:
            return json.load(stream)

    def alive() -> int:
        return int(status()["aliveworkers"])

    def start_worker() -> None:
        command = (
            f"{package}.worker.Worker",
            "--host",
            "127.0.0.1",
            "--cores",
            "1",
            "--memory",
            "1g",
            "--webui-port",
            "0",
        )
        cluster.workers.append(start(*command, "--work-dir", str(folder / "work"), address))
        wait_for("a Spark worker", lambda: alive() >= len(cluster.workers))

    cluster = Cluster(address, [], events, environment, ui, start_worker)
    try:
        wait_for("the Spark master", status)
        start_worker()
        start_worker()
        yield cluster
    finally:
        for process in (*cluster.workers, master):
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        log.close()
