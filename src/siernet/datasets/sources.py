"""Public origins of the data files, and the SHA-256 of their decompressed content."""

from __future__ import annotations

from siernet.datasets.files import Source

_UCI = "https://archive.ics.uci.edu/static/public"
# This commit's files have the digests below.
_SCIKIT_FEATURE = (
    "https://raw.githubusercontent.com/jundongl/scikit-feature/"
    "48cffad4e88ff4b9d2f1c7baffb314d1b3303792/skfeature/data"
)

SOYBEAN = Source(
    "soybean",
    f"{_UCI}/90/soybean+large.zip",
    {"soybean-large.data": ("04b99f2728ded9f544022d2b4f6cce0ebe11ef5c9d44f10e21acd7093876507e",)},
)
ARRHYTHMIA = Source(
    "arrhythmia",
    f"{_UCI}/5/arrhythmia.zip",
    {"arrhythmia.data": ("a7f0f4ca289a4c58b5ed85a9adb793189acd38425828ce3dfbb70adb45f30169",)},
)
HILL_VALLEY = Source(
    "hill_valley",
    f"{_UCI}/166/hill+valley.zip",
    {
        "Hill_Valley_with_noise_Training.data": (
            "aef62398c3a215452bcf4ce5c6a87207a3dc8e79631ef87a6eda6fe3896bc966",
        ),
        # With CRLF and with LF line ends: copies differ in nothing else.
        "Hill_Valley_with_noise_Testing.data": (
            "d7276840d9e4327f362269baca8af5e68ae1336052e57c95bde7b150669e4871",
            "ec45dfcc507a2a5f43d4de774aef6153ff0a0306347e4bdb5c022e71481cb3ca",
        ),
    },
)
SEMEION = Source(
    "semeion",
    f"{_UCI}/178/semeion+handwritten+digit.zip",
    {"semeion.data": ("f43228ae3da5ea6a3c95069d53450b86166770e3b719dcc333182128fe08d4b1",)},
)
# No digest of these three files was at hand; their shapes are checked.
GENE_CANCER = Source(
    "gene_cancer",
    f"{_UCI}/401/gene+expression+cancer+rna+seq.zip",
    {"data.csv": (), "labels.csv": ()},
)
_CT_SLICES_URL = f"{_UCI}/206/relative+location+of+ct+slices+on+axial+axis.zip"
CT_SLICES = Source("ct_slices", _CT_SLICES_URL, {"slice_localization_data.csv": ()})
# The first rows of that file, as some copies of it end.
CT_SLICES_PARTIAL = Source(
    "ct_slices_partial",
    _CT_SLICES_URL,
    {
        "slice_localization_data.first682rows.csv": (
            "16a35de3aa691787e379e42493f000204822cda492b642a03069a580003c2976",
        )
    },
)
# UCI has no page for it any more; this is where it was, and the digest is of that file.
BOSTON = Source(
    "boston",
    "https://archive.ics.uci.edu/ml/machine-learning-databases/housing/housing.data",
    {"housing.data": ("baadf72995725d76efe787b664e1f083388c79ba21ef9a7990d87f774184735a",)},
)
CRIME = Source(
    "crime",
    f"{_UCI}/183/communities+and+crime.zip",
    {"communities.data": ("09e0b5c07eae24c1efab19b2edee05e160e7f5743b6f31e31eec3d73624da2ea",)},
)
IRAN_HOUSE = Source(
    "iran_house",
    f"{_UCI}/437/residential+building+data+set.zip",
    {
        "Residential-Building-Data-Set.xlsx": (
            "7db0235d1dbdb95057c514c8dc6bd8040cdf86656d086dcdafe6c0b1e1624222",
        )
    },
)
WINE = Source(
    "wine",
    f"{_UCI}/186/wine+quality.zip",
    {
        "winequality-red.csv": (
            "4a402cf041b025d4566d954c3b9ba8635a3a8a01e039005d97d6a710278cf05e",
        ),
        "winequality-white.csv": (
            "76c3f809815c17c07212622f776311faeb31e87610d52c26d87d6e361b169836",
        ),
    },
)

PROSTATE_GE = Source(
    "Prostate-GE",
    f"{_SCIKIT_FEATURE}/Prostate-GE.mat",
    {"Prostate-GE.mat": ("050b598534dbc662f23e30f39b41354b61d02ab8567837bcf9b1091c1c636ab4",)},
)
COLON = Source(
    "colon",
    f"{_SCIKIT_FEATURE}/colon.mat",
    {"colon.mat": ("ffcdeba03eb67cec403fa1dc9f827c22a6e2c57786bf3e01dfe1b4b3e25e0a2f",)},
)
ARCENE = Source(
    "arcene",
    f"{_SCIKIT_FEATURE}/arcene.mat",
    {"arcene.mat": ("779d678207b9a8c0ba8f2f5ecdb2216d9f98bf475ab040e806797efd36331bc5",)},
)
BLOGFEEDBACK = Source(
    "blogfeedback",
    f"{_UCI}/304/blogfeedback.zip",
    {"blogData_train.csv": ("f3cc953ea9913361be6d3bae2c393eef73eab57b1cb8e5bf8a22f1e5eb5dd05f",)},
)
