"""Undo and redo of whole projects."""

from __future__ import annotations

import pytest

from understudy.errors import OptionError
from understudy.studio.history import History
from understudy.studio.project import Project


def project(text: str) -> Project:
    return Project().with_verdict(text=text)


def test_undo_and_redo_walk_the_same_line_in_both_directions():
    history = History(project("0"))
    for k in (1, 2, 3):
        history.push(project(str(k)), f"step {k}")
    seen = [history.now.verdict.text]
    for _ in range(3):
        history.undo()
        seen.append(history.now.verdict.text)
    assert seen == ["3", "2", "1", "0"]
    assert (history.undo_title, history.redo_title) == ("", "step 1")
    history.redo()
    assert history.now.verdict.text == "1"
    with pytest.raises(OptionError, match="redo"):
        for _ in range(5):
            history.redo()


def test_a_new_step_forgets_what_was_undone():
    history = History(project("0"))
    history.push(project("1"), "one")
    history.undo()
    history.push(project("other"), "another")
    assert history.redo_title == ""
    history.undo()
    assert history.now.verdict.text == "0"


def test_the_edits_of_one_drag_are_undone_together():
    history = History(project("0"))
    for k in range(20):
        history.push(project(f"a{k}"), "drag", drag="first")
    history.push(project("b"), "drag", drag="second")
    history.undo()
    assert history.now.verdict.text == "a19"
    history.undo()
    assert history.now.verdict.text == "0"


def test_what_becomes_known_later_belongs_to_its_own_step():
    history = History(project("0"))
    first = history.push(project("1"), "one")
    history.push(project("2"), "two")
    assert history.amend(first, lambda _: project("1 and its result"))
    assert history.now.verdict.text == "2"
    history.undo()
    assert history.now.verdict.text == "1 and its result"
    assert not history.amend(999, lambda one: one)
