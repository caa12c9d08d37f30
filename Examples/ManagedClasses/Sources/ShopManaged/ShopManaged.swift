// The rest of this module is written while it is built.
