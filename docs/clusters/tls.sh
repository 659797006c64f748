#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Certificates and settings for a cluster that speaks TLS alone, in a new folder:
#
#     sh tls.sh FOLDER
#     export DASK_CONFIG=FOLDER     # for the scheduler, for the workers, and for headwater
#     dask scheduler --protocol tls
#
# Who has the folder may give the workers any task, and they run it: its keys are readable for you alone. Each part of the
# cluster shows a certificate of the authority that is made here and then forgotten, and takes no other.
set -eu
umask 077
mkdir "$1"
cd "$1"
folder=$(pwd)
openssl req -x509 -newkey rsa:3072 -nodes -days 365 -subj "/CN=cluster authority" \
    -keyout authority.key -out authority.pem 2>openssl.log
openssl req -newkey rsa:3072 -nodes -subj "/CN=cluster" -keyout cluster.key -out cluster.csr 2>>openssl.log
openssl x509 -req -in cluster.csr -CA authority.pem -CAkey authority.key -CAcreateserial -days 365 \
    -out cluster.pem 2>>openssl.log
rm authority.key authority.srl cluster.csr openssl.log
cat >dask.yaml <<END
distributed:
  comm:
    require-encryption: true
    tls:
      ca-file: "$folder/authority.pem"
      scheduler: {cert: "$folder/cluster.pem", key: "$folder/cluster.key"}
      worker: {cert: "$folder/cluster.pem", key: "$folder/cluster.key"}
      client: {cert: "$folder/cluster.pem", key: "$folder/cluster.key"}
END
