"""From C++ to IR.

1. `function_reader` expands the macros of a file and parses it (`syntax`), with tree-sitter.
2. It notes what the file defines, as text: `definitions`, `members` of structs, `file_constants`, and the defaults of parameters.
3. Functions whose calls are written out where they stand (`inlining`) become `callees`: those with pointers, references or structs,
   templates, operators, functions of structs, lambdas. The entry and the helpers that take numbers and return one are read as they are.
4. A body is read statement by statement (`statements`), over its expressions (`expressions`, `pointer_values`, `bound_values`). What an
   expression does besides having a value stands before its statement (`side_effects`). A struct is a local for each field
   (`struct_locals`), a pointer a place in an array (`pointers`), a vector or `malloc` a buffer (`vectors`, `heap`), a call of the standard
   library a loop (`ranges`, `algorithms`).
5. `return` and `continue` inside of loops and conditions become conditions, flags and `break` (`returns`).

Modules read on through the `Context`, which says what is known, and import none that dispatch. What the engine does not take is refused by
a `CannotTransform` that says the line, why, and what would help. `normalise` then brings the function into a form that analysis knows.
"""
