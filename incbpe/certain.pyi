# Everything here is for Cython.
