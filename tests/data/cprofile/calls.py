def leaf(n):
    return sum(range(n))


def recurse(n):
    leaf(n)
    return 1 if n == 0 else recurse(n - 1) + 1


def größe():
    return [recurse(3) for _ in range(2)]


größe()
