"""Addresses of a cluster. What is chosen once stays: changing a range makes the cluster anew."""

from ipaddress import IPv4Network
from typing import Annotated

from pydantic import AfterValidator, Field, model_validator

from skyfleet.model.base import Model


def _range(text: str) -> str:
    try:
        return str(IPv4Network(text))
    except ValueError as error:
        raise ValueError(f"{error}; write an address range such as 10.16.0.0/16") from None


def _not_everybody(text: str) -> str:
    if IPv4Network(text).prefixlen == 0:
        raise ValueError("0.0.0.0/0 opens the control plane to everybody; name the networks of office, VPN and CI")
    return text


Cidr = Annotated[str, AfterValidator(_range), Field(description="an IPv4 range such as 10.16.0.0/16")]
NarrowCidr = Annotated[Cidr, AfterValidator(_not_everybody)]


class Endpoint(Model):
    """Who reaches the control plane from outside the cluster's network."""

    allowed_cidrs: Annotated[
        tuple[NarrowCidr, ...], Field(description="without any there is no public endpoint at all")
    ] = ()


class NebiusNetwork(Model):
    cidr: Annotated[Cidr, Field(description="nodes, pods and services")] = "10.16.0.0/13"
    services_cidr: Annotated[Cidr, Field(description="a part of it, /12 to /28")] = "10.20.0.0/16"

    @model_validator(mode="after")
    def _within(self) -> "NebiusNetwork":
        if not IPv4Network(self.services_cidr).subnet_of(IPv4Network(self.cidr)):
            raise ValueError(
                f"services_cidr {self.services_cidr} is not a part of cidr {self.cidr}; choose one within it"
            )
        return self


class GkeNetwork(Model):
    nodes_cidr: Cidr = "10.24.0.0/20"
    pods_cidr: Cidr = "10.28.0.0/14"
    services_cidr: Cidr = "10.24.64.0/18"
    control_plane_cidr: Annotated[Cidr, Field(description="a /28 of its own")] = "172.16.0.0/28"
