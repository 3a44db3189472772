plan foo::bar(TargetSpec $targets) {
run_task( 'x',$targets )
}
