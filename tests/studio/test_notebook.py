"""Motions and results in a notebook: the page plays with no server and asks for nothing."""

from __future__ import annotations

import base64
import hashlib
import html
import re
from dataclasses import replace

import pytest

import understudy as us
from browsers import chromium
from understudy.core.planning import Result, Status
from understudy.performer import builtin_clips


@pytest.fixture(scope="module")
def walk() -> us.Motion:
    return next(clip for clip in builtin_clips("walk") if clip.name == "walk").slice(0.0, 2.0)


def test_a_motion_and_a_result_are_frames_and_a_failure_says_why(walk: us.Motion):
    assert us.Motion is type(walk)
    assert walk._repr_html_().startswith("<iframe")
    solved = Result(status=Status.SOLVED, motion=walk)._repr_html_()
    assert "SOLVED" in solved and "<iframe" in solved
    failed = Result(status=Status.EXHAUSTED, reason="<b>in the way</b>")._repr_html_()
    assert "&lt;b&gt;in the way" in failed and "<iframe" not in failed


def test_the_frame_plays_in_a_browser_without_asking_for_anything(walk: us.Motion, tmp_path):
    page = html.unescape(re.search(r'srcdoc="([^"]*)"', walk._repr_html_()).group(1))
    file = tmp_path / "walk.html"
    file.write_text(page, encoding="utf-8")
    with chromium() as browser:
        tab = browser.new_page(viewport={"width": 800, "height": 420})
        faults, asked = [], []
        tab.on("console", lambda one: faults.append(one.text) if one.type == "error" else None)
        tab.on("pageerror", lambda one: faults.append(str(one)))
        tab.on("request", lambda one: asked.append(one.url))
        tab.goto(file.as_uri())
        tab.wait_for_function("studio.stage.shows('walk') !== ''", timeout=600_000)
        first = tab.evaluate("studio.clock.seek(0), studio.stage.joint('walk', 0)")
        later = tab.evaluate("studio.clock.seek(1.5), studio.stage.joint('walk', 0)")
        assert later[2] - first[2] == pytest.approx(walk.sample(1.5)[0][0, 2] - walk.root_positions[0, 2], abs=2e-3)
        assert faults == []
        assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []


def test_a_policy_lets_nothing_run_but_the_pages_own_scripts(walk: us.Motion):
    page = html.unescape(re.search(r'srcdoc="([^"]*)"', walk._repr_html_()).group(1))
    (policy,) = re.findall(r'http-equiv="content-security-policy" content="([^"]*)"', page)
    assert "default-src 'none'" in policy and "connect-src" not in policy
    allowed = re.search(r"script-src ([^;]*)", policy).group(1).split()
    scripts = re.findall(r"<script[^>]*>(.*?)</script>", page, re.DOTALL)
    made = [f"'sha256-{base64.b64encode(hashlib.sha256(one.encode()).digest()).decode()}'" for one in scripts]
    assert made == allowed, "a browser makes the same digests"


@pytest.mark.parametrize("name", ["</SCRIPT><svg/onload=alert(1)>", "</script >", "<!--<script>", "\u2028</sCrIpT\t>"])
def test_names_from_files_cannot_leave_the_script(walk: us.Motion, name: str):
    skeleton = walk.skeleton
    names = (skeleton.names[0], name, *skeleton.names[2:])
    hostile = replace(walk, skeleton=replace(skeleton, names=names), name=name)
    page = html.unescape(re.search(r'srcdoc="([^"]*)"', hostile._repr_html_()).group(1))
    assert len(re.findall(r"</?script", page, re.IGNORECASE)) == 4
    assert "onload=alert" not in page.replace(r"\u003csvg/onload=alert", "")
