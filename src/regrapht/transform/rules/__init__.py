"""The techniques that the engine knows, one file each. The order of `RULES` is that in which they are offered.

`rule` says what each of them is; `application` applies them, `steps` reads how a person names them, `decisions` keeps what was decided.
"""

from regrapht.transform.rules.atomic_reduction import AtomicReduction
from regrapht.transform.rules.block_reduction import BlockReduction
from regrapht.transform.rules.block_scan import BlockScan
from regrapht.transform.rules.block_size_tuning import BlockSizeTuning
from regrapht.transform.rules.branch_elimination import BranchElimination
from regrapht.transform.rules.constant_memory import ConstantMemory
from regrapht.transform.rules.grid_stride_loop import GridStrideLoop
from regrapht.transform.rules.kernel_fission import KernelFission
from regrapht.transform.rules.kernel_fusion import KernelFusion
from regrapht.transform.rules.launch_bounds import LaunchBounds
from regrapht.transform.rules.launch_reduction import LaunchReduction
from regrapht.transform.rules.library_call import LibraryCall
from regrapht.transform.rules.loop_interchange import LoopInterchange
from regrapht.transform.rules.loop_unrolling import LoopUnrolling
from regrapht.transform.rules.map_2d import Map2D
from regrapht.transform.rules.map_3d import Map3D
from regrapht.transform.rules.map_to_threads import MapToThreads
from regrapht.transform.rules.memory_coalescing import MemoryCoalescing
from regrapht.transform.rules.register_tiling import RegisterTiling
from regrapht.transform.rules.restrict_read_only import RestrictReadOnly
from regrapht.transform.rules.rule import Rule
from regrapht.transform.rules.shared_lookup_table import SharedLookupTable
from regrapht.transform.rules.shared_memory_halo import SharedMemoryHalo
from regrapht.transform.rules.shared_memory_histogram import SharedMemoryHistogram
from regrapht.transform.rules.shared_memory_padding import SharedMemoryPadding
from regrapht.transform.rules.shared_memory_tiling import SharedMemoryTiling
from regrapht.transform.rules.shared_memory_transpose import SharedMemoryTranspose
from regrapht.transform.rules.streaming_stores import StreamingStores
from regrapht.transform.rules.strength_reduction import StrengthReduction
from regrapht.transform.rules.thread_coarsening import ThreadCoarsening
from regrapht.transform.rules.two_stage_reduction import TwoStageReduction
from regrapht.transform.rules.vectorised_access import VectorisedAccess
from regrapht.transform.rules.warp_per_row import WarpPerRow
from regrapht.transform.rules.warp_shuffle_reduction import WarpShuffleReduction
from regrapht.transform.rules.wavefront import Wavefront

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
    WarpPerRow(),
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
    SharedLookupTable(),
    ConstantMemory(),
    StreamingStores(),
    RestrictReadOnly(),
    BlockSizeTuning(),
    LaunchBounds(),
)
BY_SLUG: dict[str, Rule] = {rule.slug: rule for rule in RULES}
"""In the same order."""
PLAIN = MapToThreads.slug
"""The rule of the plain mapping, which comes first."""
