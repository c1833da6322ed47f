"""The proposer of a run that somebody outside serves, an agent or a person: it writes nothing itself."""

from regrapht.errors import ConfigError
from regrapht.records.candidate import Candidate
from regrapht.records.proposal import Proposal
from regrapht.records.task import Task
from regrapht.records.technique import Transition

NAME = "agent"


class AgentProposer:
    """Names the writer of an agent's run; what that writer can apply is not known."""

    name = NAME

    def propose(self, task: Task, proposal: Proposal) -> Candidate:
        """Never a program.

        Raises:
            ConfigError: Always: the agent answers through a server.
        """
        raise ConfigError(
            "an agent's run goes on through `regrapht serve` or `regrapht mcp`, where an agent writes its programs"
        )

    def applicable(self, task: Task, candidate: Candidate, transition: Transition) -> bool | None:
        """None: nobody can say."""
        return None
