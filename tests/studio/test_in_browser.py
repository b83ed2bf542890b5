"""The studio in a real browser: every mode by mouse, and what must not be lost."""

from __future__ import annotations

import http.client
import json
import time
from pathlib import Path

import pytest

import understudy as us
from studio.driven import Page, Server

pytest.importorskip("uvicorn", reason="needs the extra studio")


def test_walk_click_the_floor_drag_a_table_export_and_verify(page: Page, tmp_path):
    page.open("A walk through a room")
    assert page.do(lambda: page.tab.mouse.click(*page.pixels(1.8, 0.0, 4.2))) == "verified"
    length = page.tab.evaluate("studio.state.people[0].clip.frames")
    table = page.pixels(-0.6, 0.74, 2.0)
    assert page.do(lambda: page.drag(table, page.pixels(0.75, 0.74, 2.3))) == "verified"
    moved = page.tab.evaluate("studio.state.things.find(one => one.name === 'table').position")
    assert moved[0] > 0.3, "the table was dragged into the way"
    assert page.tab.evaluate("studio.state.people[0].clip.frames") != length, "and the walk goes around it"
    motion = us.load_motion(page.export("bvh", tmp_path))
    scene = us.load_scene(page.export("toml", tmp_path))
    report = us.verify(motion, us.Scene(objects=scene.objects))
    assert report.penetration.seconds_over_1mm == 0.0, str(report)
    page.tab.keyboard.press("Control+z")
    page.until("studio.state.things.find(one => one.name === 'table').position[0] < 0")


def test_goal_and_start_have_knobs(page: Page):
    page.open("A walk through clutter")
    assert page.do(lambda: page.tab.mouse.click(*page.pixels(3.0, 0.0, 5.8))) == "verified"
    goal = page.tab.evaluate("studio.stage.knobs.find('goal').at")
    assert page.do(lambda: page.drag(page.pixels(*goal), page.pixels(-3.2, 0.0, 3.0))) == "verified"
    aim = page.tab.evaluate("studio.state.settings.walk.aims.anna.goal")
    assert aim[0] == pytest.approx(-3.2, abs=0.15) and aim[1] == pytest.approx(3.0, abs=0.15)


def test_limbs_find_correct_and_reach(page: Page, tmp_path):
    page.open("A hand in the way")
    assert page.do(lambda: page.tab.click("[data-key=find]")) == "rejected"
    assert page.tab.locator(".bar.collision").count() > 0, "collisions are on the timeline"
    assert page.do(lambda: page.tab.click("[data-key=correct]")) == "verified"
    assert page.tab.evaluate("studio.state.people[0].ghost !== null"), "the clip is beside it as a ghost"
    motion = us.load_motion(page.export("bvh", tmp_path))
    scene = us.load_scene(page.export("toml", tmp_path))
    assert us.verify(motion, us.Scene(objects=scene.objects)).penetration.seconds_over_1mm == 0.0
    page.tab.evaluate("studio.clock.seek(4.6)")
    hand = page.tab.evaluate("studio.stage.knobs.find('hand').at")
    start = page.pixels(*hand)
    assert page.do(lambda: page.drag(start, [start[0] - 14, start[1] - 18])) == "verified"


def test_postures_from_thumbnails_and_by_handles(page: Page, tmp_path):
    page.open("Into a yoga posture")
    page.tab.wait_for_selector("[data-key='thumb eagle']", timeout=600_000)
    assert page.do(lambda: page.tab.click("[data-key='thumb eagle']")) == "verified"
    motion = us.load_motion(page.export("bvh", tmp_path))
    assert us.verify(motion).penetration.seconds_over_1mm == 0.0
    page.tab.click("[data-key='bend 0']")
    page.until("studio.state.people[0].clip.frames === 1 && studio.stage.knobs.find('rightHand') !== undefined")
    page.tab.wait_for_timeout(300)
    before = page.tab.evaluate("studio.stage.knobs.find('rightHand').at")
    start = page.pixels(*before)
    page.drag(start, [start[0] + 30, start[1] - 60])
    page.until("studio.state.settings.postures.keys[0].startsWith('own:')")


def test_interaction_drag_a_ball_in_flight_and_everything_follows(page: Page, tmp_path):
    page.open("Keeping a ball up")
    page.tab.evaluate("studio.clock.seek(2.6)")
    page.until("studio.stage.knobs.find('ball') !== undefined")
    before = page.tab.evaluate("studio.stage.knobs.find('ball').at")
    start = page.pixels(*before)
    assert page.do(lambda: page.drag(start, [start[0], start[1] - 12])) == "verified"
    after = page.tab.evaluate("(studio.clock.seek(2.6), studio.stage.thing('ball'))")
    assert after[1] > before[1] + 0.02, "the ball is higher at that time"
    path = page.export("glb", tmp_path)
    assert path.stat().st_size > 10_000
    page.tab.keyboard.press("Control+z")
    page.until(f"Math.abs((studio.clock.seek(2.6), studio.stage.thing('ball'))[1] - {before[1]}) < 0.005")


def test_tasks_put_together_run_and_say_which_one_fails(page: Page):
    page.open("A cup to another place")
    assert page.do(lambda: page.tab.click("[data-key=run]")) == "verified"
    assert page.tab.locator(".task .ok").count() == 2
    assert page.tab.locator(".bar.task").count() == 2
    page.tab.select_option("[data-key=Does]", "touch")
    page.tab.select_option("[data-key=Thing]", "table")
    page.tab.click("[data-key='add task']")
    page.until("studio.state.tasks.length === 3")
    page.tab.click("[data-key='untask 2']")
    page.until("studio.state.tasks.length === 2")
    page.do(lambda: page.tab.evaluate("studio.edit('thing.place', {name: 'cup', position: [-3, 1.05, 3]})"))
    assert page.do(lambda: page.tab.click("[data-key=run]")) == "rejected"
    assert "cm too far" in page.tab.inner_text(".task .fault >> nth=0")


def test_two_tabs_show_the_same_work(page: Page, browser, server: Server):
    page.open("An empty stage")
    other = Page(browser, server.address)
    page.tab.click("[data-key='add box']")
    other.until("studio.state.things.length === 1")
    other.tab.keyboard.press("Escape")
    other.tab.keyboard.press("Control+z")
    page.until("studio.state.things.length === 0")
    assert other.faults == []
    other.close()


def test_a_dropped_clip_comes_onto_the_stage_and_what_is_no_clip_is_told(page: Page, tmp_path):
    page.open("An empty stage")
    clip = tmp_path / "mine.bvh"
    us.save_motion(us.builtin_clips("walk")[0], clip)
    for path, content in ((clip, clip.read_text()), (tmp_path / "bad.bvh", "no BVH at all")):
        page.tab.evaluate(
            """([name, text]) => {
                const carried = new DataTransfer();
                carried.items.add(new File([text], name));
                document.dispatchEvent(new DragEvent("drop", { dataTransfer: carried }));
            }""",
            [path.name, content],
        )
    page.until("studio.state.people.some(one => one.name === 'mine')")
    page.tab.wait_for_selector(".messages .fault")
    assert "bad.bvh" in page.tab.inner_text(".messages .fault")
    page.faults[:] = [fault for fault in page.faults if "400" not in fault]


def test_what_is_too_large_is_refused_by_page_and_server(page: Page, server: Server):
    page.tab.keyboard.press("Escape")
    page.tab.evaluate(
        """() => {
            const carried = new DataTransfer();
            carried.items.add(new File([new Uint8Array(100 * 2 ** 20)], "huge.bvh"));
            document.dispatchEvent(new DragEvent("drop", { dataTransfer: carried }));
        }"""
    )
    page.tab.wait_for_selector(".messages .fault")
    assert "100 MB" in page.tab.inner_text(".messages .fault")
    host, _, rest = server.address.removeprefix("http://").partition("/")
    root, _, token = rest.partition("?token=")
    line = http.client.HTTPConnection(host, timeout=200)
    line.putrequest("POST", f"/{root}import?name=huge.bvh&token={token}")
    line.putheader("content-length", str(100 * 2**20))
    line.endheaders()
    answer = line.getresponse()
    assert answer.status == 413
    assert b"64 MB" in answer.read()
    line.close()


def test_a_reload_and_a_killed_server_lose_nothing(browser, tmp_path):
    server = Server(tmp_path / "work")
    page = Page(browser, server.address)
    page.open("An empty stage")
    page.tab.click("[data-key='add sphere']")
    page.until("studio.state.things.length === 1")
    page.tab.reload()
    page.until("studio.state.things.length === 1")
    saved = tmp_path / "work" / "understudy-project" / "project.json"
    end = time.monotonic() + 20
    while not (saved.exists() and "sphere" in _saved_scene(saved)):
        assert time.monotonic() < end
        time.sleep(0.05)
    server.kill()
    again = Server(tmp_path / "work")
    other = Page(browser, again.address)
    assert other.tab.evaluate("studio.state.things.map(one => one.name)") == ["sphere"]
    assert other.faults == []
    for one in (page, other):
        one.close()
    again.kill()


def _saved_scene(document: Path) -> str:
    return (document.parent / json.loads(document.read_text())["scene"]).read_text()


def test_a_scene_of_ones_own_is_seen_at_once(browser, server: Server, tmp_path):
    us.save_motion(us.builtin_clips("walk")[0], tmp_path / "mine.bvh")
    box = '[[object]]\nname = "crate"\nshape = { kind = "box", size = [1.0, 0.5, 1.0] }\nat = [2.0, 0.25, 1.0]\n'
    who = '[[character]]\nname = "me"\nmotion = "mine.bvh"\n'
    (tmp_path / "room.toml").write_text(box + who, encoding="utf-8")
    own = Server(tmp_path / "work", tmp_path / "room.toml")
    pages = [Page(browser, address) for address in (own.address, server.address)]
    try:
        assert pages[0].tab.locator("dialog[open]").count() == 0, "the start screen does not cover what was opened"
        assert pages[0].tab.evaluate("studio.state.things.map(one => one.name)") == ["crate"]
        assert pages[0].tab.evaluate("studio.state.people.map(one => one.name)") == ["me"]
        assert pages[1].tab.locator("dialog[open]").count() == 1, "a first visit without a file begins with it"
        assert pages[0].faults == pages[1].faults == []
    finally:
        for page in pages:
            page.close()
        own.kill()
