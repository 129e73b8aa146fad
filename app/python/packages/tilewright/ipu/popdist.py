"""popdist without a launcher: one process, with the replicas that the script configures."""

from tilewright.ipu.strategy import IPUStrategy
from tilewright.missing import not_yet


def init():
    """One process needs no beginning."""


def isPopdistEnvSet():
    return False


def getInstanceIndex():
    return 0


def getNumInstances():
    return 1


def getNumTotalReplicas():
    return 1


def getNumLocalReplicas():
    return 1


def getNumIpusPerReplica():
    return 1


def set_ipu_config(config, ipus_per_replica=1, configure_device=True):
    """Gives the device the IPUs of the local replicas."""
    config.auto_select_ipus = getNumLocalReplicas() * int(ipus_per_replica)
    return config


class PopDistStrategy(IPUStrategy):
    """The strategy of distributed training; in one process it is IPUStrategy."""

    def update_ipu_config(self, config):
        raise not_yet("PopDistStrategy.update_ipu_config", "popdist.tensorflow.set_ipu_config sets the IPUs.")
