"""A small Acclaim skeleton and motion for tests."""

ASF = """:version 1.10
:units
  mass 1.0
  length 0.45
  angle deg
:root
   order TX TY TZ RX RY RZ
   axis XYZ
   position 0 0 0
   orientation 0 0 0
:bonedata
  begin
     id 1
     name a
     direction 1 0 0
     length 2
     axis 0 0 20 XYZ
     dof rx ry rz
     limits (-1 1)
            (-1 1)
  end
  begin
     id 2
     name b
     direction 0 1 0
     length 3
     axis 10 0 20 XYZ
     dof rx
  end
:hierarchy
  begin
    root a
    a b
  end
"""
AMC = "#!OML:ASF x\n:FULLY-SPECIFIED\n:DEGREES\n1\nroot 1 2 3 4 5 6\na 1 2 3\nb 9\n2\nroot 1 2 3 4 5 6\na 1 2 3\nb 8\n"
