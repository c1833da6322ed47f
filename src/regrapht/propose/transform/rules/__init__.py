"""The techniques that the engine knows, one file each. The order here is that in which they are offered."""

from regrapht.propose.transform.rules.atomic_reduction import AtomicReduction
from regrapht.propose.transform.rules.block_reduction import BlockReduction
from regrapht.propose.transform.rules.block_scan import BlockScan
from regrapht.propose.transform.rules.block_size_tuning import BlockSizeTuning
from regrapht.propose.transform.rules.branch_elimination import BranchElimination
from regrapht.propose.transform.rules.constant_memory import ConstantMemory
from regrapht.propose.transform.rules.grid_stride_loop import GridStrideLoop
from regrapht.propose.transform.rules.kernel_fission import KernelFission
from regrapht.propose.transform.rules.kernel_fusion import KernelFusion
from regrapht.propose.transform.rules.launch_bounds import LaunchBounds
from regrapht.propose.transform.rules.launch_reduction import LaunchReduction
from regrapht.propose.transform.rules.library_call import LibraryCall
from regrapht.propose.transform.rules.loop_interchange import LoopInterchange
from regrapht.propose.transform.rules.loop_unrolling import LoopUnrolling
from regrapht.propose.transform.rules.map_2d import Map2D
from regrapht.propose.transform.rules.map_3d import Map3D
from regrapht.propose.transform.rules.map_to_threads import MapToThreads
from regrapht.propose.transform.rules.memory_coalescing import MemoryCoalescing
from regrapht.propose.transform.rules.register_tiling import RegisterTiling
from regrapht.propose.transform.rules.restrict_read_only import RestrictReadOnly
from regrapht.propose.transform.rules.rule import Rule
from regrapht.propose.transform.rules.shared_memory_halo import SharedMemoryHalo
from regrapht.propose.transform.rules.shared_memory_histogram import SharedMemoryHistogram
from regrapht.propose.transform.rules.shared_memory_padding import SharedMemoryPadding
from regrapht.propose.transform.rules.shared_memory_tiling import SharedMemoryTiling
from regrapht.propose.transform.rules.shared_memory_transpose import SharedMemoryTranspose
from regrapht.propose.transform.rules.streaming_stores import StreamingStores
from regrapht.propose.transform.rules.strength_reduction import StrengthReduction
from regrapht.propose.transform.rules.thread_coarsening import ThreadCoarsening
from regrapht.propose.transform.rules.two_stage_reduction import TwoStageReduction
from regrapht.propose.transform.rules.vectorised_access import VectorisedAccess
from regrapht.propose.transform.rules.warp_shuffle_reduction import WarpShuffleReduction
from regrapht.propose.transform.rules.wavefront import Wavefront

RULES: tuple[Rule, ...] = (
    MapToThreads(),
    LaunchReduction(),
    KernelFusion(),
    KernelFission(),
    LoopInterchange(),
    Map2D(),
    Map3D(),
    GridStrideLoop(),
    BlockReduction(),
    WarpShuffleReduction(),
    TwoStageReduction(),
    AtomicReduction(),
    BlockScan(),
    Wavefront(),
    LibraryCall(),
    SharedMemoryHistogram(),
    SharedMemoryTranspose(),
    SharedMemoryTiling(),
    RegisterTiling(),
    SharedMemoryHalo(),
    SharedMemoryPadding(),
    MemoryCoalescing(),
    VectorisedAccess(),
    ThreadCoarsening(),
    LoopUnrolling(),
    StrengthReduction(),
    BranchElimination(),
    ConstantMemory(),
    StreamingStores(),
    RestrictReadOnly(),
    BlockSizeTuning(),
    LaunchBounds(),
)
BY_SLUG: dict[str, Rule] = {rule.slug: rule for rule in RULES}
