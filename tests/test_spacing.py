"""Chinese and Latin writing stand apart, names stand apart from each other, and code stays as it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from hooks import spacing
from hooks import trace as tracing

ROOT = Path(__file__).parent.parent
KNOWN = spacing.names(ROOT)


def spaced(text: str) -> str:
    trace = tracing.begin(text)
    trace = tracing.apply(trace, spacing.name_edits(trace.text, KNOWN))
    return tracing.apply(trace, spacing.gap_edits(trace.text)).text


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("PyTorch1.6正式发布", "PyTorch 1.6 正式发布"),
        ("使用AppleMetalPerformanceShaders(MPS)作为后端", "使用 Apple Metal Performance Shaders (MPS) 作为后端"),
        ("反映了MacStudio的近似性能", "反映了 Mac Studio 的近似性能"),
        ("Pytorch1.6版本为复数张量", "PyTorch 1.6 版本为复数张量"),
        ("自动混合精度(AMP)训练", "自动混合精度 (AMP) 训练"),
        ("高达50%的内存节省", "高达 50% 的内存节省"),
        ("自定义C++类", "自定义 C++ 类"),
        ("torch.complex64和torch.complex128", "torch.complex64 和 torch.complex128"),
        ("functional_call()API让用户", "functional_call() API 让用户"),
        ("现在， PyTorch 更新；TorchScript 、移动后端", "现在，PyTorch 更新；TorchScript、移动后端"),
        ("2020年10月", "2020 年 10 月"),
    ],
)
def test_gaps_and_names(source, expected):
    assert spaced(source) == expected
    assert spaced(expected) == expected


@pytest.mark.parametrize(
    "text",
    [
        "TransformerEncoder、TransformerEncoderLayer",
        "调用 `f(x)是代码` 时",
        "详见 <https://a.org/支持API的页面>。",
        "[[tier:beta]] 通过",
        "128GB 内存",
        "（高斯）误差函数",
        "f(x) 与 weight_norm",
        "DataLoader2",
        "v1.10.0rc1",
    ],
)
def test_what_belongs_together_stays_together(text):
    assert spaced(text) == text
