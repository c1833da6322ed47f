"""What is right: a task's reference as it is compiled or run, as written and in a wider float, in whatever language."""
