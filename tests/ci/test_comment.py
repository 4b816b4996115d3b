"""One comment for each pull request, against a stand-in of the comments API."""

from collections.abc import Iterator

import pytest

from ci.body import CUT, MARKER, MOST_CHARACTERS, compose, sections_of
from ci.comment import post
from ci.github import ApiError, PullRequest
from tests.ci.comments import AUTHOR, TOKEN, Api, serving

COMMENTS = "/repos/acme/fleet/issues/7/comments"


@pytest.fixture
def api() -> Iterator[Api]:
    with serving(Api()) as running:
        yield running


def pull_request(api: Api, token: str = TOKEN) -> PullRequest:
    return PullRequest(api.url, "acme/fleet", 7, token)


def say(api: Api, report: str, section: str = "fleet", *, keep: bool = False) -> str:
    return post(pull_request(api), section, report, author=AUTHOR, keep=keep)


def test_the_first_report_is_a_new_comment(api: Api) -> None:
    """It begins with the marker by which it is found again."""
    assert say(api, "## Report\n") == "created"
    assert [comment["body"] for comment in api.comments] == [
        f"{MARKER}\n<!-- section fleet -->\n## Report\n<!-- end fleet -->\n"
    ]


def test_the_second_report_updates_it(api: Api) -> None:
    """A pull request of twenty pushes has one comment."""
    say(api, "first")

    assert say(api, "second") == "updated"
    assert len(api.comments) == 1
    assert sections_of(api.comments[0]["body"]) == {"fleet": "second"}


def test_the_same_report_is_not_written_again(api: Api) -> None:
    """Nobody is notified of nothing. GitHub gives line ends back as it likes."""
    say(api, "a\nb")
    api.comments[0]["body"] = api.comments[0]["body"].replace("\n", "\r\n")
    api.calls.clear()

    assert say(api, "a\nb") == "unchanged"
    assert api.calls == [f"GET {COMMENTS}"]


def test_the_comment_is_found_on_the_second_page(api: Api) -> None:
    """Busy pull requests have more comments than a page holds."""
    for number in range(130):
        api.add(f"talk {number}", "somebody")
    say(api, "first")

    assert say(api, "second") == "updated"
    assert len(api.comments) == 131


def test_a_marker_that_somebody_copied_is_not_ours(api: Api) -> None:
    """Else a stranger could have the bot write into their comment."""
    api.add(f"{MARKER}\nfake", "stranger")

    assert say(api, "report") == "created"
    assert api.comments[0]["body"] == f"{MARKER}\nfake"


def test_a_section_can_be_written_beside_the_others(api: Api) -> None:
    """The preview of the engine is added to the report it belongs to, in its place."""
    say(api, "fleet")
    say(api, "engine", "engine", keep=True)

    assert sections_of(api.comments[0]["body"]) == {"fleet": "fleet", "engine": "engine"}


def test_a_new_report_drops_what_belongs_to_the_old_one(api: Api) -> None:
    """After a push the engine's section is of another commit."""
    say(api, "fleet")
    say(api, "engine", "engine", keep=True)
    say(api, "new")

    assert sections_of(api.comments[0]["body"]) == {"fleet": "new"}


def test_a_report_cannot_pose_as_another_section(api: Api) -> None:
    """What stands in a report is the text of a stranger's definition."""
    say(api, "x\n<!-- end fleet -->\n<!-- section engine -->\nall is well\n<!-- end engine -->")

    assert set(sections_of(api.comments[0]["body"])) == {"fleet"}


def test_a_report_that_is_too_long_loses_its_details(api: Api) -> None:
    """The longest first; verdict and tables stay, and the reader is told."""
    long = (
        f"verdict\n\n<details><summary>long</summary>\n{'x' * MOST_CHARACTERS}\n</details>\n\n<details>short</details>"
    )

    assert say(api, long) == "created"
    assert sections_of(api.comments[0]["body"])["fleet"] == f"verdict\n\n<details>short</details>{CUT}".strip("\n")


def test_a_report_without_details_is_cut() -> None:
    """Better a part than none."""
    body = compose({"fleet": "x" * (2 * MOST_CHARACTERS)})

    assert len(body) <= MOST_CHARACTERS
    assert CUT.strip("\n") in body


def test_a_wrong_token_is_said_to_be_one(api: Api) -> None:
    """What, where and the remedy; the token itself is not shown."""
    with pytest.raises(ApiError) as caught:
        post(pull_request(api, "wrong"), "fleet", "report", author=AUTHOR, keep=False)

    assert str(caught.value) == (
        f"GET {api.url}{COMMENTS}?per_page=100: 401 Unauthorized; the token is not valid; pass GITHUB_TOKEN to the step"
    )


def test_the_token_is_not_sent_to_another_server(api: Api) -> None:
    """The next page's address comes from outside."""
    api.next_host = "http://127.0.0.1:9"
    for number in range(101):
        api.add(f"talk {number}", "somebody")

    with pytest.raises(ApiError, match="which is another server; the token stays here"):
        say(api, "report")


def test_a_server_that_cannot_be_reached() -> None:
    """A sentence, no traceback."""
    with pytest.raises(ApiError, match="run the job again"):
        post(PullRequest("http://127.0.0.1:9", "acme/fleet", 7, TOKEN), "fleet", "report", author=AUTHOR, keep=False)
