"""What flows: frozen records of the standard library alone, without I/O. Import from the file that defines a record."""
