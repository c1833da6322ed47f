"""A figure of ours: SVG text that notebooks show, and that is saved as SVG, PNG or PDF."""

from pathlib import Path

from regrapht.errors import ConfigError

ENDINGS = (".svg", ".png", ".pdf")


class Figure:
    """A drawing that a notebook shows by itself."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: str | Path) -> Path:
        """Write it to a file; its name ends in .svg, .png or .pdf. The latter two need matplotlib (`regrapht[figures]`).

        Raises:
            ConfigError: It has another ending, cannot be written, or there is nothing to draw yet.
            PrerequisiteMissing: matplotlib is not installed.
        """
        file = Path(path)
        ending = file.suffix.lower()
        if ending not in ENDINGS:
            raise ConfigError(f"{file}: figures are SVG, PNG and PDF files: end its name in {', '.join(ENDINGS)}")
        if not self.svg.startswith("<svg"):
            raise ConfigError(
                f"{file} is not written: nothing has passed or is finished yet, so there is nothing to draw"
            )
        try:
            if ending == ".svg":
                file.write_text(self.svg, encoding="utf-8")
            else:
                from regrapht.report.svg_as_image import write_image

                write_image(self.svg, file)
        except OSError as error:
            raise ConfigError(f"cannot write {file}: {error.strerror}") from error
        return file
