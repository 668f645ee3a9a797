"""ministack: AWS on one machine, with roles enforced. It is started here and ended with all that it started."""

import contextlib
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from dataclasses import dataclass

import boto3

REGION = "us-east-1"
# The account's own key, which no policy holds back.
ROOT = ("test", "test")
READY_WITHIN_S = 60
STOPPED_WITHIN_S = 5


@dataclass(frozen=True)
class Aws:
    """A running emulator."""

    url: str
    # Where its log is, and where others may keep what is to go with it.
    folder: pathlib.Path

    def client(self, service, key=ROOT):
        """A client of a service, with an access key's two halves."""
        access_key, secret = key
        return boto3.client(
            service, endpoint_url=self.url, region_name=REGION,
            aws_access_key_id=access_key, aws_secret_access_key=secret,
        )

    def environment(self, key):
        """What a program needs that is to talk to it, and nothing of this machine's own account."""
        access_key, secret = key
        return {
            **clean_environment(),
            "AWS_ENDPOINT_URL": self.url,
            "AWS_REGION": REGION,
            "AWS_ACCESS_KEY_ID": access_key,
            "AWS_SECRET_ACCESS_KEY": secret,
        }


def clean_environment():
    return {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


@contextlib.contextmanager
def emulator():
    """An emulator with nothing in it; afterwards neither it nor a function of it runs any more."""
    # boto3 would read the account of whoever runs this; and the translator wants to know a region.
    os.environ.update(AWS_CONFIG_FILE=os.devnull, AWS_SHARED_CREDENTIALS_FILE=os.devnull, AWS_DEFAULT_REGION=REGION)
    with tempfile.TemporaryDirectory(prefix="mostrador-deploy-", ignore_cleanup_errors=True) as folder:
        aws = Aws(f"http://127.0.0.1:{free_port()}", pathlib.Path(folder))
        with open(aws.folder / "ministack.log", "wb") as log:
            process = start(aws, log)
        try:
            wait_until_ready(aws, process)
            yield aws
        finally:
            end(process)


def start(aws, log):
    environment = {
        **aws.environment(ROOT),
        "AUTH": "true",
        "BIND_HOST": "127.0.0.1",
        "GATEWAY_PORT": aws.url.rsplit(":", 1)[1],
        "IOT_MTLS_ENABLED": "0",
        "SFTP_ENABLED": "0",
        "STATE_DIR": str(aws.folder / "state"),
        "S3_DATA_DIR": str(aws.folder / "s3"),
        "TMPDIR": str(aws.folder),
    }
    # A session of its own: Ctrl-C is for us to handle, and the functions' processes end with its group.
    program = pathlib.Path(sys.executable).with_name("ministack")
    return subprocess.Popen(
        [program], cwd=aws.folder, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
        start_new_session=True,
    )


def wait_until_ready(aws, process):
    deadline = time.monotonic() + READY_WITHIN_S
    while time.monotonic() < deadline and process.poll() is None:
        with contextlib.suppress(urllib.error.URLError, ConnectionError):
            urllib.request.urlopen(f"{aws.url}/_ministack/health", timeout=5).close()
            return
        time.sleep(0.1)
    log = (aws.folder / "ministack.log").read_text(encoding="utf-8", errors="replace")
    raise SystemExit(f"deploy-check: ministack did not start:\n{log[-2000:]}")


def end(process):
    """Ends the emulator and every process of its group, which has the number of its first."""
    for sent in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, sent)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(STOPPED_WITHIN_S)
    deadline = time.monotonic() + STOPPED_WITHIN_S
    with contextlib.suppress(ProcessLookupError):
        while time.monotonic() < deadline:
            # Signal 0 only asks whether there is anybody left.
            os.killpg(process.pid, 0)
            time.sleep(0.05)
