"""Takes a command line, gives text and an exit status; knows the road only through `api`. One file a command."""
