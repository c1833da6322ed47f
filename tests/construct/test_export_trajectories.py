import json

from regrapht.construct.export_trajectories import export_trajectories


def test_each_trajectory_is_one_conversation(corpus):
    lines = export_trajectories(corpus).splitlines()
    conversations = [json.loads(line) for line in lines]
    assert [c["trajectory"] for c in conversations] == ["fast", "slow", "own_words"]
    first = conversations[0]
    roles = [message["role"] for message in first["messages"]]
    assert roles == ["system", "user", "assistant", "user", "assistant", "user", "assistant"]
    folder = corpus / "dense_la" / "scale_a"
    assert (folder / "reference.cpp").read_text().rstrip() in first["messages"][1]["content"]
    assert 'extern "C" void scale(int n, const float* x, float* y);' in first["messages"][1]["content"]
    assert (folder / "fast" / "02_step.cu").read_text().rstrip() in first["messages"][4]["content"]
    assert "Technique: Loop Unrolling" in first["messages"][4]["content"]
    assert (first["task"], first["family"], first["source"], first["licence"]) == (
        "scale_a",
        "dense_la",
        "hand",
        "Apache-2.0",
    )


def test_a_fence_in_the_code_does_not_end_the_block(corpus):
    path = corpus / "dense_la" / "scale_a" / "fast" / "01_step.cu"
    path.write_text("// ```\n// ````\nint x;\n")
    answer = json.loads(export_trajectories(corpus).splitlines()[0])["messages"][2]["content"]
    assert answer.endswith("`````cuda\n// ```\n// ````\nint x;\n`````")
