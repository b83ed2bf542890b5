"""The web player: the page holds the motion, asks for nothing, and moves in a real browser."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from browsers import chromium
from understudy import rotations as rot
from understudy.formats.props import Prop
from understudy.pictures.player import clip_document, player_page
from understudy.pictures.show import show
from understudy.pictures.stage import prop_track, staged


def moving_prop(box) -> Prop:
    still = box(at=(1.0, 0.5, 0.0))
    return Prop(
        name="crate",
        vertices=still.vertices,
        faces=still.faces,
        times_s=np.array([0.0, 1.0]),
        positions=np.array([[1.0, 0.5, 0.0], [1.0, 0.5, 1.0]]),
        rotations=rot.from_yaw(np.array([0.0, 1.2])),
    )


def test_document_holds_every_capsule_to_a_fraction_of_a_millimetre(walk, box) -> None:
    stage = staged([walk(frames=31), walk(frames=31, heading_rad=1.0)], props=[moving_prop(box), box()])
    document = json.loads(json.dumps(clip_document(stage, title="t")))
    times = np.arange(document["frames"]) / document["rate"]
    assert times[-1] == pytest.approx(stage.duration_s)
    for actor, packed in zip(stage.actors, document["actors"], strict=True):
        steps = np.frombuffer(base64.b64decode(packed["points"]), "<u2").reshape(len(times), -1, 3)
        points = np.array(packed["low"]) + steps * np.array(packed["step"])
        assert np.abs(points - actor.capsules(times)[..., :6].reshape(points.shape)).max() < 1e-4
        assert len(packed["colors"]) == len(packed["radii"]) == len(actor.body.capsule_names)
    track = np.frombuffer(base64.b64decode(document["props"][0]["track"]), "<f4").reshape(-1, 7)
    assert np.allclose(track, np.concatenate(prop_track(stage.props[0], times), axis=1), atol=1e-6)
    assert len(base64.b64decode(document["props"][1]["track"])) == 28  # stands still: one pose


def test_page_is_one_file_without_addresses(walk) -> None:
    page = player_page(staged(walk(frames=4)))
    assert not re.search(r"https?://|//[a-z]+\.|src=|@import|url\(", page)
    assert "{{" not in page
    assert page == player_page(staged(walk(frames=4)))


def test_a_name_cannot_break_out_of_the_page(walk) -> None:
    evil = "</script><script>window.broken=1</script> {{clip}} \u2028"
    page = player_page(staged(walk(frames=2).renamed(evil)))
    assert page.count("<script") == player_page(staged(walk(frames=2))).count("<script")
    assert "window.broken=1</script>" not in page


@pytest.fixture(scope="module")
def browser() -> Iterator[object]:
    with chromium() as running:
        yield running


@pytest.fixture(params=["", "#canvas"], ids=["webgl", "canvas"])
def page(request, browser, walk, box, tmp_path: Path) -> Iterator[object]:
    path = show(walk(frames=31), tmp_path / "walk.html", props=[moving_prop(box)])
    tab = browser.new_page(viewport={"width": 480, "height": 360})
    tab.requests, tab.faults = [], []
    tab.on("request", lambda each: tab.requests.append(each.url))
    tab.on("pageerror", lambda each: tab.faults.append(str(each)))
    tab.on("console", lambda each: tab.faults.append(each.text) if each.type == "error" else None)
    tab.goto(path.as_uri() + request.param)
    tab.wait_for_function("window.understudyPlayer")
    yield tab
    assert tab.faults == []
    assert [url for url in tab.requests if not url.startswith(("file:", "data:"))] == []
    tab.close()


def picture(tab) -> np.ndarray:
    """The canvas as seen on the screen."""
    import io

    from PIL import Image

    return np.asarray(Image.open(io.BytesIO(tab.locator("#view").screenshot())).convert("RGB")).astype(int)


def test_pixels_move_with_time(page) -> None:
    page.evaluate("understudyPlayer.seek(0.0)")
    first = picture(page)
    page.evaluate("understudyPlayer.seek(0.75)")
    later = picture(page)
    page.evaluate("understudyPlayer.seek(0.0)")
    assert (np.abs(first - later).max(axis=2) > 40).sum() > 300
    assert np.abs(first - picture(page)).max() <= 2
    assert page.evaluate("understudyPlayer.mode") in ("webgl", "canvas")


def test_page_puts_limbs_where_the_motion_has_them(page, walk) -> None:
    """The visor's pixel, projected by the page from the page's own capsules, is dark."""
    actor = staged(walk(frames=31)).actors[0]
    page.evaluate("understudyPlayer.seek(0.5)")
    rows = np.array(page.evaluate("understudyPlayer.capsules(0.5)")).reshape(-1, 10)
    assert np.allclose(rows[:, :7], actor.capsules(0.5)[0], atol=2e-3)
    page.evaluate("understudyPlayer.view('front')")
    visor = rows[list(actor.body.capsule_names).index("visor")]
    column, row = page.evaluate("p => understudyPlayer.project(p)", list(0.5 * (visor[:3] + visor[3:6])))
    image = picture(page)
    assert image[round(row), round(column)].max() < 110


def test_controls(page) -> None:
    page.evaluate("understudyPlayer.seek(0.5)")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("understudyPlayer.time") == pytest.approx(0.5 + 1 / 30)
    page.keyboard.press("Shift+ArrowLeft")
    assert page.evaluate("understudyPlayer.time") == pytest.approx(0.5 - 9 / 30)
    page.keyboard.press("Space")
    assert page.evaluate("understudyPlayer.playing")
    started = page.evaluate("understudyPlayer.time")
    for _ in range(100):  # the page forbids eval, and with it playwright's own waiting
        if page.evaluate("understudyPlayer.time") != started:
            break
        page.wait_for_timeout(30)
    assert page.evaluate("understudyPlayer.time") != started
    page.click("#play")
    assert not page.evaluate("understudyPlayer.playing")
    before = page.evaluate("understudyPlayer.project([1, 1, 1])")
    page.mouse.move(240, 120)
    page.mouse.down()
    page.mouse.move(300, 150)
    page.mouse.up()
    assert page.evaluate("understudyPlayer.project([1, 1, 1])") != pytest.approx(before, abs=2)
    assert "s" in page.inner_text("#clock")
