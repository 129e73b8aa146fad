// The target that this file belongs to exists for its precompiled header, which all tests share.
int main() { return 0; }
