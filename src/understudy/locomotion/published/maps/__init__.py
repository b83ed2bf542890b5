"""Motion maps: where a person can be after every sequence of clips, computed once and looked up ([Maps])."""
