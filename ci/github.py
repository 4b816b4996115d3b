"""Comments of one pull request, through GitHub's REST API."""

import json
import re
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

_TIMEOUT_SECONDS = 30
_NEXT = re.compile(r'<([^>]+)>;\s*rel="next"')


class ApiError(Exception):
    """GitHub refused, or could not be reached; the message says what was tried and the remedy."""


@dataclass(frozen=True)
class Comment:
    number: int
    author: str
    body: str


@dataclass(frozen=True)
class PullRequest:
    api: str
    """Root of the API, e.g. https://api.github.com."""
    repository: str
    """OWNER/NAME."""
    number: int
    token: str

    def comments(self) -> Iterator[Comment]:
        """All of them, page after page."""
        url: str | None = f"{self._issue}/comments?per_page=100"
        while url is not None:
            found, url = self._call("GET", url)
            for each in found:
                yield Comment(each["id"], (each.get("user") or {}).get("login", ""), each.get("body") or "")

    def create(self, body: str) -> None:
        self._call("POST", f"{self._issue}/comments", {"body": body})

    def update(self, comment: Comment, body: str) -> None:
        self._call("PATCH", f"{self._repository}/issues/comments/{comment.number}", {"body": body})

    @property
    def _repository(self) -> str:
        return f"{self.api.rstrip('/')}/repos/{self.repository}"

    @property
    def _issue(self) -> str:
        return f"{self._repository}/issues/{self.number}"

    def _call(self, method: str, url: str, content: Any = None) -> tuple[Any, str | None]:
        """The decoded answer, and the next page's address if there is one."""
        if urllib.parse.urlsplit(url)[:2] != urllib.parse.urlsplit(self.api)[:2]:
            raise ApiError(f"the API names {url} as next page, which is another server; the token stays here")
        headers = {
            "Accept": "application/vnd.github+json",
            "Authorization": f"Bearer {self.token}",
            "Content-Type": "application/json",
            "X-GitHub-Api-Version": "2022-11-28",
        }
        data = None if content is None else json.dumps(content).encode()
        request = urllib.request.Request(url, data, headers, method=method)  # noqa: S310 - checked above
        try:
            with urllib.request.urlopen(request, timeout=_TIMEOUT_SECONDS) as answer:  # noqa: S310 - as above
                following = _NEXT.search(answer.headers.get("Link") or "")
                return json.load(answer), following[1] if following else None
        except urllib.error.HTTPError as error:
            remedy = _REMEDIES.get(error.code, "look at the status page of GitHub and run the job again")
            raise ApiError(f"{method} {url}: {error.code} {error.reason}; {remedy}") from None
        except (OSError, ValueError) as error:
            raise ApiError(f"{method} {url}: {error}; run the job again") from None


_REMEDIES = {
    401: "the token is not valid; pass GITHUB_TOKEN to the step",
    403: "the token may not; give the job `pull-requests: write`",
    404: "there is no such pull request, or the token may not see it",
    422: "the comment is not valid; look at its length",
}
