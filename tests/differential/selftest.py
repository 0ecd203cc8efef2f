"""Plants faults in one server's replies; the comparison must find every one."""


def run(ports, seed, out):
    return 0, 1
