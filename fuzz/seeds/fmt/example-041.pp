class foo {
    /* a
       b */
    notice(1)
}
