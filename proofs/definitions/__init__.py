"""The papers read aloud: plain Python, the standard library only, nothing compiled, no cleverness."""
