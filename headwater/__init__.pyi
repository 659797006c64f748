# SPDX-License-Identifier: Apache-2.0
from headwater.api.charts import chart as chart
from headwater.api.charts import charts as charts
from headwater.api.choosing import Choice as Choice
from headwater.api.choosing import choose as choose
from headwater.api.ciphers import Cipher as Cipher
from headwater.api.ciphers import add_cipher_file as add_cipher_file
from headwater.api.ciphers import cipher as cipher
from headwater.api.ciphers import ciphers as ciphers
from headwater.api.core import Core as Core
from headwater.api.evaluation import evaluate as evaluate
from headwater.api.judging import bench as bench
from headwater.api.leakage import leakage as leakage
from headwater.api.operations import Operations as Operations
from headwater.api.optimizing import Optimum as Optimum
from headwater.api.optimizing import optimize as optimize
from headwater.api.records import Records as Records
from headwater.api.records import results as results
from headwater.api.reporting import report as report
from headwater.api.reproduction import Reproduced as Reproduced
from headwater.api.reproduction import reproduce as reproduce
from headwater.api.studying import Studied as Studied
from headwater.api.studying import studies as studies
from headwater.api.studying import study as study
from headwater.api.systems import codesign as codesign
from headwater.api.vectors import converted_vectors as converted_vectors
from headwater.api.vectors import vector_files as vector_files
from headwater.api.vectors import vectors as vectors
from headwater.api.verification import Checks as Checks
from headwater.api.verification import verify as verify
from headwater.cipher.message import Sealed as Sealed
from headwater.leakage.verdict import Verdict as Verdict
from headwater.measure.settings import Settings as Settings

__version__: str
