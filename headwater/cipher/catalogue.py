# SPDX-License-Identifier: Apache-2.0
"""Every cipher by name. A new cipher is one file beside this one and one line here."""

from __future__ import annotations

from headwater.cipher.a51 import A51
from headwater.cipher.achterbahn import ACHTERBAHN, ACHTERBAHN_REDUCED
from headwater.cipher.achterbahn_128_80 import ACHTERBAHN_80, ACHTERBAHN_128
from headwater.cipher.aes import AES, AES_CMAC, AES_CTR, AES_OFB_192_256
from headwater.cipher.aes_ofb import AES_OFB
from headwater.cipher.ascon import ASCON_AEAD128, ASCON_AEAD128_MODES
from headwater.cipher.ascon_hash import ASCON_CXOF128, ASCON_HASH256, ASCON_XOF128
from headwater.cipher.chacha20 import CHACHA20
from headwater.cipher.chacha20_poly1305 import CHACHA20_POLY1305, XCHACHA20_POLY1305
from headwater.cipher.chacha_djb import CHACHA_DJB, XCHACHA20
from headwater.cipher.description import Cipher
from headwater.cipher.e0 import E0
from headwater.cipher.e0_payload import E0_PAYLOAD
from headwater.cipher.enocoro import ENOCORO_128_V2
from headwater.cipher.espresso import ESPRESSO
from headwater.cipher.grain import (
    GRAIN_128A,
    GRAIN_128A_AE,
    GRAIN_128AEAD,
    GRAIN_128AEAD_V2,
    GRAIN_V1,
)
from headwater.cipher.grain128 import GRAIN_128
from headwater.cipher.kasumi import A5_3, GEA_3, KASUMI, KASUMI_F8
from headwater.cipher.kasumi_f9 import UIA1
from headwater.cipher.kasumi_modes import UEA1
from headwater.cipher.kcipher2 import KCIPHER_2
from headwater.cipher.lizard import LIZARD
from headwater.cipher.mickey import MICKEY_1, MICKEY_2, MICKEY_128
from headwater.cipher.mosquito import MOSQUITO, MOUSTIQUE
from headwater.cipher.phelix import PHELIX
from headwater.cipher.poly1305 import POLY1305
from headwater.cipher.salsa20 import SALSA20
from headwater.cipher.sfinks import SFINKS, SFINKS_AE
from headwater.cipher.snow2 import SNOW_2
from headwater.cipher.snow3g import SNOW_3G
from headwater.cipher.snow5g import SNOW_5G
from headwater.cipher.snow_v import SNOW_V
from headwater.cipher.telephony import MODES
from headwater.cipher.telephony_256 import MODES_256
from headwater.cipher.trivium import BIVIUM, TRIVIUM
from headwater.cipher.vest import VESTS
from headwater.cipher.zkcrypt import ZK_CRYPT
from headwater.cipher.zuc import ZUC, ZUC_256
from headwater.cipher.zuc256_2018 import ZUC_256_2018, ZUC_256_2018_MAC
from headwater.errors import unknown

CATALOGUE: dict[str, Cipher] = {
    cipher.name: cipher
    for cipher in (
        TRIVIUM,
        BIVIUM,
        GRAIN_V1,
        GRAIN_128,
        GRAIN_128A,
        GRAIN_128A_AE,
        GRAIN_128AEAD,
        GRAIN_128AEAD_V2,
        ESPRESSO,
        LIZARD,
        MICKEY_1,
        MICKEY_2,
        MICKEY_128,
        A51,
        E0,
        E0_PAYLOAD,
        ZUC,
        ZUC_256,
        ZUC_256_2018,
        SNOW_2,
        SNOW_3G,
        SNOW_V,
        SNOW_5G,
        KCIPHER_2,
        KASUMI,
        KASUMI_F8,
        A5_3,
        GEA_3,
        ENOCORO_128_V2,
        ZK_CRYPT,
        SALSA20,
        CHACHA20,
        CHACHA_DJB,
        XCHACHA20,
        POLY1305,
        CHACHA20_POLY1305,
        XCHACHA20_POLY1305,
        PHELIX,
        ASCON_AEAD128,
        ASCON_AEAD128_MODES,
        ASCON_HASH256,
        ASCON_XOF128,
        ASCON_CXOF128,
        AES,
        AES_OFB,
        AES_OFB_192_256,
        AES_CTR,
        AES_CMAC,
        UEA1,
        UIA1,
        *MODES,
        ZUC_256_2018_MAC,
        *MODES_256,
        SFINKS,
        SFINKS_AE,
        ACHTERBAHN,
        ACHTERBAHN_REDUCED,
        ACHTERBAHN_80,
        ACHTERBAHN_128,
        MOSQUITO,
        MOUSTIQUE,
        *VESTS,
    )
}


def find(name: str) -> Cipher:
    """The cipher of that name; an error that lists all names if there is none."""
    if name not in CATALOGUE:
        raise unknown("cipher", name, CATALOGUE)
    return CATALOGUE[name]


def modes_of(cipher: Cipher) -> tuple[Cipher, ...]:
    """The modes of a cipher that the catalogue has under names of their own: with authentication,
    and in mobile telephony."""
    authenticated = (cipher.authenticated,) if cipher.authenticated else ()
    return authenticated + tuple(
        mode
        for mode in CATALOGUE.values()
        if mode.base is not None and mode.base.name == cipher.name
    )
