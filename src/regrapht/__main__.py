"""`python -m regrapht`."""

from regrapht.cli.main import main

if __name__ == "__main__":
    main()
