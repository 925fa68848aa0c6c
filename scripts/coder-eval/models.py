"""Reads the files of run directories by the models of the coder_eval that this Python has; names each one that it refuses."""

import pathlib
import sys

from coder_eval.models.experiment import ExperimentResult
from coder_eval.models.results import EvaluationResult, RunSummary, SuiteRollup

MODELS = {
    "task.json": EvaluationResult,
    "run.json": RunSummary,
    "suite.json": SuiteRollup,
    "experiment.json": ExperimentResult,
}


def main() -> int:
    read = refused = 0
    for root in sys.argv[1:]:
        for path in sorted(pathlib.Path(root).rglob("*.json")):
            if "artifacts" in path.parts or path.name not in MODELS:
                continue
            read += 1
            try:
                MODELS[path.name].model_validate_json(path.read_text(encoding="utf-8"))
            except ValueError as error:
                refused += 1
                print(f"refused: {path}: {error}")
    print(f"{read} files read, {refused} refused")
    return 1 if refused or not read else 0


sys.exit(main())
