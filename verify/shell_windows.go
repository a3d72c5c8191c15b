package verify

// shell is that of an installation of Git or MSYS2: Windows has none.
const shell = "sh"
