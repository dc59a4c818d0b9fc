"""Names of the columns of files that have no header row, from the descriptions beside them."""

from __future__ import annotations


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


SOYBEAN = _words(
    """
    date plant-stand precip temp hail crop-hist area-damaged severity seed-tmt germination
    plant-growth leaves leafspots-halo leafspots-marg leafspot-size leaf-shread leaf-malf leaf-mild
    stem lodging stem-cankers canker-lesion fruiting-bodies external-decay mycelium int-discolor
    sclerotia fruit-pods fruit-spots seed mold-growth seed-discolor seed-size shriveling roots
    """
)
#: Soybean's codes that have an order: April to October, less to more than normal, ...
SOYBEAN_ORDERED = frozenset(("date", "precip", "temp", "crop-hist", "severity", "germination"))

BOSTON = _words("CRIM ZN INDUS CHAS NOX RM AGE DIS RAD TAX PTRATIO B LSTAT")

CRIME = _words(
    """
    population householdsize racepctblack racePctWhite racePctAsian racePctHisp agePct12t21
    agePct12t29 agePct16t24 agePct65up numbUrban pctUrban medIncome pctWWage pctWFarmSelf pctWInvInc
    pctWSocSec pctWPubAsst pctWRetire medFamInc perCapInc whitePerCap blackPerCap indianPerCap
    AsianPerCap OtherPerCap HispPerCap NumUnderPov PctPopUnderPov PctLess9thGrade PctNotHSGrad
    PctBSorMore PctUnemployed PctEmploy PctEmplManu PctEmplProfServ PctOccupManu PctOccupMgmtProf
    MalePctDivorce MalePctNevMarr FemalePctDiv TotalPctDiv PersPerFam PctFam2Par PctKids2Par
    PctYoungKids2Par PctTeen2Par PctWorkMomYoungKids PctWorkMom NumIlleg PctIlleg NumImmig
    PctImmigRecent PctImmigRec5 PctImmigRec8 PctImmigRec10 PctRecentImmig PctRecImmig5 PctRecImmig8
    PctRecImmig10 PctSpeakEnglOnly PctNotSpeakEnglWell PctLargHouseFam PctLargHouseOccup
    PersPerOccupHous PersPerOwnOccHous PersPerRentOccHous PctPersOwnOccup PctPersDenseHous
    PctHousLess3BR MedNumBR HousVacant PctHousOccup PctHousOwnOcc PctVacantBoarded PctVacMore6Mos
    MedYrHousBuilt PctHousNoPhone PctWOFullPlumb OwnOccLowQuart OwnOccMedVal OwnOccHiQuart RentLowQ
    RentMedian RentHighQ MedRent MedRentPctHousInc MedOwnCostPctInc MedOwnCostPctIncNoMtg
    NumInShelters NumStreet PctForeignBorn PctBornSameState PctSameHouse85 PctSameCity85
    PctSameState85 LemasSwornFT LemasSwFTPerPop LemasSwFTFieldOps LemasSwFTFieldPerPop LemasTotalReq
    LemasTotReqPerPop PolicReqPerOffic PolicPerPop RacialMatchCommPol PctPolicWhite PctPolicBlack
    PctPolicHisp PctPolicAsian PctPolicMinor OfficAssgnDrugUnits NumKindsDrugsSeiz PolicAveOTWorked
    LandArea PopDens PctUsePubTrans PolicCars PolicOperBudg LemasPctPolicOnPatr LemasGangUnitDeploy
    LemasPctOfficDrugUn PolicBudgPerPop
    """
)

_PATIENT = _words(
    """
    age sex height weight QRS-duration P-R-interval Q-T-interval T-interval P-interval QRS-angle
    T-angle P-angle QRST-angle J-angle heart-rate
    """
)
_LEADS = _words("DI DII DIII AVR AVL AVF V1 V2 V3 V4 V5 V6")
_WIDTHS = _words("Q-width R-width S-width R'-width S'-width intrinsic-deflections")
_EXISTENCE = _words("ragged-R diphasic-R ragged-P diphasic-P ragged-T diphasic-T")
_AMPLITUDES = _words("JJ Q R S R' S' P T QRSA QRSTA")

ARRHYTHMIA = (
    *_PATIENT,
    *(f"{lead}-{name}" for lead in _LEADS for name in _WIDTHS + _EXISTENCE),
    *(f"{lead}-{name}-amplitude" for lead in _LEADS for name in _AMPLITUDES),
)
#: Arrhythmia's yes-or-no columns.
ARRHYTHMIA_NOMINAL = frozenset(("sex", *(f"{lead}-{e}" for lead in _LEADS for e in _EXISTENCE)))

SEMEION = tuple(f"row{row}-column{column}" for row in range(16) for column in range(16))
