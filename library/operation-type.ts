/** Generated from the table of operations by `npm run docs`: do not edit. */
import type { AiPodWaiters, DocumentWaiters, InferenceWaiters, InstanceWaiters, ObjectSessionWaiters, ObjectTransfers, VolumeWaiters, VpcWaiters } from "./method.ts";
import type { CallOptions, Paged, UploadContent } from "./option.ts";

/** Settings of a client. Those that are missing come from the environment and from a profile. */
export interface Settings {
  /** Base URL of the API, such as `https://cloud.example`. HTTP is accepted for a loopback address only. */
  readonly baseUrl?: string | undefined;
  /** API key, without the "Bearer " prefix. Conflicts with `email` and `password`; in the environment, the API key takes precedence. */
  readonly apiKey?: string | undefined;
  /** Email of the user that signs in, instead of an API key. Must come from the same place as `password`. */
  readonly email?: string | undefined;
  /** Password of the user that signs in. Requires `email`. */
  readonly password?: string | undefined;
  /** If true, `email` and `password` belong to a user of the account `accountId`, not to the root user. Ignored with an API key. Default: `false`. */
  readonly accountUser?: boolean | undefined;
  /** Default region, such as `In-Bangalore-1`. */
  readonly region?: string | undefined;
  /** ID of the account, for the object storage and for a sign-in with `accountUser`. */
  readonly accountId?: string | undefined;
  /** ID of the access key with which objects are read and written. Requires `secretKey`. */
  readonly accessKey?: string | undefined;
  /** Secret of `accessKey`. */
  readonly secretKey?: string | undefined;
  /** Shell command that prints a one-time password. It runs for each delete that requires one, after the password of `SERVICE_OTP` is used; `SERVICE_OTP_FOR` contains the deleted object. */
  readonly otpCommand?: string | undefined;
  /** If false, a delete that requires a one-time password is sent without one if none is available, instead of failing. Default: `true`. */
  readonly otpRequired?: boolean | undefined;
  /** ID of the customer that owns the SSH keys, a UUID. Default: the fifth part of a full KRN of the account. */
  readonly customerId?: string | undefined;
  /** Name of the profile that provides the settings that are set neither here nor in the environment. Default: `default`, if it exists. */
  readonly profile?: string | undefined;
  /** Path of the JSON file with the profiles. Default: `kcloud/profiles.json` in the configuration folder of the user, such as `~/.config`. */
  readonly profileFile?: string | undefined;
  /** Path of a PEM file with certificate authorities to trust in addition to the default ones. */
  readonly caCertFile?: string | undefined;
  /** Maximum average number of requests per second, with bursts of twice as many; `0` means no limit. At least 0. */
  readonly maxRequestsPerSecond?: number | undefined;
  /** Seconds to search for an object after an ambiguous response to its create. At least 0. */
  readonly settleSeconds?: number | undefined;
  /** Port that the API expects as `attach_port` when a floating IP moves: the current port or the new port. */
  readonly floatingIpAttachOrder?: "holder-first" | "target-first" | undefined;
  /** JSON type of IP versions in requests; `mixed` sends a string for a VPC and an integer for a subnet. */
  readonly ipVersionForm?: "mixed" | "string" | "integer" | undefined;
  /** If true, user data is sent as configured instead of in Base64; a firewall of the API can reject it. Default: `false`. */
  readonly userDataAsWritten?: boolean | undefined;
  /** Path of the undocumented route that reads an AI pod. Default: `/v1/kpod/pod/{pod}`. */
  readonly podReadPath?: string | undefined;
  /** User of the inference service that owns inference tasks and checkpoints. Required for both. */
  readonly user?: string | undefined;
  /** Path prefix of the inference routes, before `/v1/inference`, such as `/api`. Default: none. */
  readonly inferencePathPrefix?: string | undefined;
}

/** Arguments of `signInRoot`. */
export interface SignInRootArguments {
  /** E-mail address of the user. */
  readonly email: string;
  /** Password of the user. */
  readonly password: string;
}

/** Response to `signInRoot`, in the names of the API. */
export type SignInRootResponse = {
  readonly access_token?: string | null | undefined;
  readonly refresh_token?: unknown | undefined;
  readonly mfaEnabled?: unknown | undefined;
  readonly message?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `signInUser`. */
export interface SignInUserArguments {
  /** E-mail address of the user. */
  readonly email: string;
  /** Password of the user. */
  readonly password: string;
  /** Number of the account. */
  readonly accountId: string;
}

/** Response to `signInUser`, in the names of the API. */
export type SignInUserResponse = {
  readonly access_token?: string | null | undefined;
  readonly refresh_token?: unknown | undefined;
  readonly mfaEnabled?: unknown | undefined;
  readonly message?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `signInProgrammatic`. */
export interface SignInProgrammaticArguments {
  /** Number of the account. */
  readonly accountId: string;
  /** Access key of the user. */
  readonly accessKey: string;
  /** Secret of the access key. */
  readonly secretKey: string;
}

/** Response to `signInProgrammatic`, in the names of the API. */
export type SignInProgrammaticResponse = {
  readonly token?: string | null | undefined;
  readonly access_token?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `createApiKey`. */
export interface CreateApiKeyArguments {
  /** Name of the API key. */
  readonly apiKeyName: string;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `createApiKey`, in the names of the API. */
export type CreateApiKeyResponse = {
  readonly secretKey: string;
  readonly [field: string]: unknown;
};

/** Operations of the area `signIn`. */
export interface SignInOperations {
  /** Signs in as the root user and returns an access token, which is valid for 5 minutes. `POST /iam/v1/signInAsRootUser` (docs/contract.md#1.2) */
  signInRoot(args: SignInRootArguments, options?: CallOptions): Promise<SignInRootResponse>;
  /** Signs in as a user of the account and returns an access token, which is valid for 5 minutes. `POST /iam/v1/signInAsIAMUser` (docs/contract.md#1.2) */
  signInUser(args: SignInUserArguments, options?: CallOptions): Promise<SignInUserResponse>;
  /** Signs in with an access key of a user and returns an access token, which is valid for 5 minutes. `POST /iam/v1/signinProgrammaticUser` (docs/contract.md#1.2) */
  signInProgrammatic(args: SignInProgrammaticArguments, options?: CallOptions): Promise<SignInProgrammaticResponse>;
  /** Creates an API key, which only a client that signs in with email and password may do. `POST /iam/v1/apikey` (docs/contract.md#1.2) */
  createApiKey(args: CreateApiKeyArguments, options?: CallOptions): Promise<CreateApiKeyResponse>;
}

/** Arguments of `createVpc`. */
export interface CreateVpcArguments {
  /** Name of the VPC. */
  readonly name: string;
  /** Free-text description of the VPC. */
  readonly description?: string | undefined;
  /** If true, the VPC is enabled. Default: `true`. */
  readonly enabled?: boolean | undefined;
  /** Name of the network of the VPC. Default: the name of the VPC followed by `-network`. */
  readonly networkName?: string | undefined;
  /** Administrative state of the network: packets are forwarded only if true. Default: `true`. */
  readonly adminStateUp?: boolean | undefined;
  /** IP version of the network. Default: `4`. */
  readonly ipVersion?: 4 | 6 | undefined;
  /** First subnet, which is created and deleted together with the VPC. */
  readonly subnet?: {
    /** Name of the subnet. */
    readonly name: string;
    /** Address range of the subnet in CIDR notation, such as `10.0.0.0/24`. */
    readonly cidr: string;
    /** IP address of the gateway, such as `10.0.0.1`. Default: chosen by the API. */
    readonly gatewayIp?: string | undefined;
    /** Free-text description of the subnet. */
    readonly description?: string | undefined;
    /** If true, inbound traffic is allowed. Default: `true`. */
    readonly ingress?: boolean | undefined;
    /** If true, outbound traffic is allowed. Default: `true`. */
    readonly egress?: boolean | undefined;
  } | undefined;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `createVpc`, in the names of the API. */
export type CreateVpcResponse = {
  readonly task_id?: string | null | undefined;
  readonly error?: {
    readonly message: string;
    readonly [field: string]: unknown;
  } | null | undefined;
  readonly message?: string | null | undefined;
  readonly status?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `getVpcTaskStatus`. */
export interface GetVpcTaskStatusArguments {
  /** ID of the task, from the response to the creation. */
  readonly taskId: string;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `getVpcTaskStatus`, in the names of the API. */
export type GetVpcTaskStatusResponse = {
  readonly data: {
    readonly tasks: readonly {
      readonly field: string;
      readonly status?: string | null | undefined;
      readonly name?: string | null | undefined;
      readonly krn?: string | null | undefined;
      readonly error?: {
        readonly message?: string | null | undefined;
        readonly [field: string]: unknown;
      } | null | undefined;
      readonly subnet_list?: readonly {
        readonly krn?: string | null | undefined;
        readonly name?: string | null | undefined;
        readonly cidr?: string | null | undefined;
        readonly status?: string | null | undefined;
        readonly error?: {
          readonly message?: string | null | undefined;
          readonly [field: string]: unknown;
        } | null | undefined;
        readonly [field: string]: unknown;
      }[] | null | undefined;
      readonly [field: string]: unknown;
    }[];
    readonly [field: string]: unknown;
  };
  readonly [field: string]: unknown;
} | {
  readonly status: string;
  readonly name?: string | null | undefined;
  readonly krn?: string | null | undefined;
  readonly error?: {
    readonly message?: string | null | undefined;
    readonly [field: string]: unknown;
  } | null | undefined;
  readonly subnet_list?: readonly {
    readonly krn?: string | null | undefined;
    readonly name?: string | null | undefined;
    readonly cidr?: string | null | undefined;
    readonly status?: string | null | undefined;
    readonly error?: {
      readonly message?: string | null | undefined;
      readonly [field: string]: unknown;
    } | null | undefined;
    readonly [field: string]: unknown;
  }[] | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `getVpc`. */
export interface GetVpcArguments {
  /** ID of the VPC. */
  readonly vpcId: string;
  /** Name of the VPC. */
  readonly vpcName?: string | undefined;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `getVpc`, in the names of the API. */
export type GetVpcResponse = {
  readonly data: {
    readonly tasks: readonly {
      readonly field: string;
      readonly status?: string | null | undefined;
      readonly name?: string | null | undefined;
      readonly krn?: string | null | undefined;
      readonly error?: {
        readonly message?: string | null | undefined;
        readonly [field: string]: unknown;
      } | null | undefined;
      readonly subnet_list?: readonly {
        readonly krn?: string | null | undefined;
        readonly name?: string | null | undefined;
        readonly cidr?: string | null | undefined;
        readonly status?: string | null | undefined;
        readonly error?: {
          readonly message?: string | null | undefined;
          readonly [field: string]: unknown;
        } | null | undefined;
        readonly [field: string]: unknown;
      }[] | null | undefined;
      readonly [field: string]: unknown;
    }[];
    readonly [field: string]: unknown;
  };
  readonly [field: string]: unknown;
};

/** Arguments of `describeVpc`. */
export interface DescribeVpcArguments {
  /** ID of the VPC. */
  readonly vpcId: string;
  /** Name of the VPC. */
  readonly vpcName?: string | undefined;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `describeVpc`, in the names of the API. */
export type DescribeVpcResponse = { readonly [name: string]: {
  readonly networks?: {
    readonly krn_id?: string | null | undefined;
    readonly subnets?: readonly {
      readonly krn_id?: string | null | undefined;
      readonly status?: string | null | undefined;
      readonly [field: string]: unknown;
    }[] | null | undefined;
    readonly [field: string]: unknown;
  } | null | undefined;
  readonly [field: string]: unknown;
} };

/** Arguments of `getVpcList`. */
export interface GetVpcListArguments {
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `getVpcList`, in the names of the API. */
export type GetVpcListResponse = readonly {
  readonly vpcId: string;
  readonly vpcName: string;
  readonly operating_status?: string | null | undefined;
  readonly [field: string]: unknown;
}[];

/** Row of `getVpcList`. */
export type GetVpcListRow = {
  readonly vpcId: string;
  readonly vpcName: string;
  readonly operating_status?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `searchVpc`. */
export interface SearchVpcArguments {
  /** Number of the page, beginning with 1. At least 1. */
  readonly page?: number | undefined;
  /** Number of rows of a page. Default: chosen by the API. At least 1. */
  readonly size?: number | undefined;
  /** Part of the name. */
  readonly name?: string | undefined;
  /** Status of the VPCs, such as `active`. */
  readonly status?: string | undefined;
}

/** Response to `searchVpc`, in the names of the API. */
export type SearchVpcResponse = {
  readonly vpcs: readonly {
    readonly id?: string | null | undefined;
    readonly krn?: string | null | undefined;
    readonly name?: string | null | undefined;
    readonly status?: string | null | undefined;
    readonly [field: string]: unknown;
  }[];
  readonly total_count?: number | null | undefined;
  readonly totalCount?: number | null | undefined;
  readonly total_pages?: number | null | undefined;
  readonly totalPages?: number | null | undefined;
  readonly [field: string]: unknown;
} | {
  readonly data: {
    readonly vpcs: readonly {
      readonly id?: string | null | undefined;
      readonly krn?: string | null | undefined;
      readonly name?: string | null | undefined;
      readonly status?: string | null | undefined;
      readonly [field: string]: unknown;
    }[];
    readonly total_count?: number | null | undefined;
    readonly totalCount?: number | null | undefined;
    readonly total_pages?: number | null | undefined;
    readonly totalPages?: number | null | undefined;
    readonly [field: string]: unknown;
  };
  readonly [field: string]: unknown;
};

/** Row of `searchVpc`. */
export type SearchVpcRow = {
  readonly id?: string | null | undefined;
  readonly krn?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly status?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `searchVpcV2`. */
export interface SearchVpcV2Arguments {
  /** Number of the page, beginning with 1. At least 1. */
  readonly page?: number | undefined;
  /** Number of rows of a page. Default: chosen by the API. At least 1. */
  readonly size?: number | undefined;
  /** Part of the name. */
  readonly name?: string | undefined;
  /** Status of the VPCs, such as `active`. */
  readonly status?: string | undefined;
  /** Number of VPCs. At least 0. */
  readonly count?: number | undefined;
  /** Field by which the VPCs are sorted, such as `createdAt`. */
  readonly sortBy?: string | undefined;
  /** Order of the VPCs. */
  readonly order?: "asc" | "desc" | undefined;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `searchVpcV2`, in the names of the API. */
export type SearchVpcV2Response = {
  readonly vpcs: readonly {
    readonly id?: string | null | undefined;
    readonly krn?: string | null | undefined;
    readonly name?: string | null | undefined;
    readonly status?: string | null | undefined;
    readonly [field: string]: unknown;
  }[];
  readonly total_count?: number | null | undefined;
  readonly totalCount?: number | null | undefined;
  readonly total_pages?: number | null | undefined;
  readonly totalPages?: number | null | undefined;
  readonly [field: string]: unknown;
} | {
  readonly data: {
    readonly vpcs: readonly {
      readonly id?: string | null | undefined;
      readonly krn?: string | null | undefined;
      readonly name?: string | null | undefined;
      readonly status?: string | null | undefined;
      readonly [field: string]: unknown;
    }[];
    readonly total_count?: number | null | undefined;
    readonly totalCount?: number | null | undefined;
    readonly total_pages?: number | null | undefined;
    readonly totalPages?: number | null | undefined;
    readonly [field: string]: unknown;
  };
  readonly [field: string]: unknown;
};

/** Row of `searchVpcV2`. */
export type SearchVpcV2Row = {
  readonly id?: string | null | undefined;
  readonly krn?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly status?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `deleteVpc`. */
export interface DeleteVpcArguments {
  /** ID of the VPC. */
  readonly vpcId: string;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Arguments of `createSubnet`. */
export interface CreateSubnetArguments {
  /** ID of the VPC. */
  readonly vpcId: string;
  /** Name of the subnet. */
  readonly name: string;
  /** Address range of the subnet in CIDR notation, such as `10.0.0.0/24`. */
  readonly cidr: string;
  /** IP address of the gateway, such as `10.0.0.1`. Default: chosen by the API. */
  readonly gatewayIp?: string | undefined;
  /** Free-text description of the subnet. */
  readonly description?: string | undefined;
  /** If true, inbound traffic is allowed. Default: `true`. */
  readonly ingress?: boolean | undefined;
  /** If true, outbound traffic is allowed. Default: `true`. */
  readonly egress?: boolean | undefined;
  /** IP version of the subnet. Default: `4`. */
  readonly ipVersion?: 4 | 6 | undefined;
  /** ID of the network of the VPC. Default: chosen by the API. */
  readonly networkId?: string | undefined;
  /** ID of the router. No route of the API finds a router. */
  readonly routerKrn?: string | undefined;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `createSubnet`, in the names of the API. */
export type CreateSubnetResponse = {
  readonly subnet_id?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `searchSubnet`. */
export interface SearchSubnetArguments {
  /** ID of the VPC. */
  readonly vpcId: string;
  /** Number of the page, beginning with 1. At least 1. */
  readonly page?: number | undefined;
  /** Number of rows of a page. Default: chosen by the API. At least 1. */
  readonly size?: number | undefined;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `searchSubnet`, in the names of the API. */
export type SearchSubnetResponse = unknown;

/** Arguments of `searchNetwork`. */
export interface SearchNetworkArguments {
  /** ID of the VPC. */
  readonly vpcId: string;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `searchNetwork`, in the names of the API. */
export type SearchNetworkResponse = readonly {
  readonly krn_id?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly status?: string | null | undefined;
  readonly vpc_id?: string | null | undefined;
  readonly [field: string]: unknown;
}[];

/** Row of `searchNetwork`. */
export type SearchNetworkRow = {
  readonly krn_id?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly status?: string | null | undefined;
  readonly vpc_id?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `deleteSubnet`. */
export interface DeleteSubnetArguments {
  /** ID of the VPC. */
  readonly vpcId: string;
  /** ID of the subnet. */
  readonly subnetId: string;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `deleteSubnet`, in the names of the API. */
export type DeleteSubnetResponse = {
  readonly success?: string | null | undefined;
  readonly message?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Operations of the area `vpc`. */
export interface VpcOperations extends VpcWaiters {
  /** Starts the creation of a VPC with its network and, if given, its first subnet; the task reports the result. `POST /v1/highlvlvpc/create_vpc_async` (docs/contract.md#2.1) */
  createVpc(args: CreateVpcArguments, options?: CallOptions): Promise<CreateVpcResponse>;
  /** Returns the state of the task that creates a VPC, with the ID of the VPC. `POST /v1/highlvlvpc/get_vpc_task_status` (docs/contract.md#2.1) */
  getVpcTaskStatus(args: GetVpcTaskStatusArguments, options?: CallOptions): Promise<GetVpcTaskStatusResponse>;
  /** Returns a VPC with its network and its subnets. `POST /v1/highlvlvpc/get_vpc` (docs/contract.md#2.1) */
  getVpc(args: GetVpcArguments, options?: CallOptions): Promise<GetVpcResponse>;
  /** Returns the network of a VPC and the IDs of its subnets. `GET /v1/highlvlvpc/describe_vpc` (docs/contract.md#2.1) */
  describeVpc(args: DescribeVpcArguments, options?: CallOptions): Promise<DescribeVpcResponse>;
  /** Lists the VPCs of a region; the API may add those of other regions. With `for await`, returns the rows of all pages. `GET /v1/highlvlvpc/get_vpc_list` (docs/contract.md#2.1) */
  getVpcList(args?: GetVpcListArguments, options?: CallOptions): Paged<GetVpcListResponse, GetVpcListRow>;
  /** Lists VPCs by name and status, in pages. With `for await`, returns the rows of all pages. `GET /v1/highlvlvpc/search_vpc` (docs/contract.md#2.1) */
  searchVpc(args?: SearchVpcArguments, options?: CallOptions): Paged<SearchVpcResponse, SearchVpcRow>;
  /** Lists the VPCs of a region by name and status, in pages and in an order. With `for await`, returns the rows of all pages. `GET /v2/highlvlvpc/search_vpc` (docs/contract.md#2.1) */
  searchVpcV2(args?: SearchVpcV2Arguments, options?: CallOptions): Paged<SearchVpcV2Response, SearchVpcV2Row>;
  /** Starts the deletion of a VPC, which ends when no listing shows the VPC. It destroys. `DELETE /v1/highlvlvpc/delete_vpc` (docs/contract.md#2.1) */
  deleteVpc(args: DeleteVpcArguments, options?: CallOptions): Promise<void>;
  /** Creates a subnet of a VPC. `POST /v1/highlvlvpc/create_subnet` (docs/contract.md#2.2) */
  createSubnet(args: CreateSubnetArguments, options?: CallOptions): Promise<CreateSubnetResponse>;
  /** Lists the subnets of a VPC; the form of the response is not documented. `GET /v1/highlvlvpc/search_subnet` (docs/contract.md#2.2) */
  searchSubnet(args: SearchSubnetArguments, options?: CallOptions): Promise<SearchSubnetResponse>;
  /** Lists the networks of a VPC. With `for await`, returns the rows of all pages. `GET /v1/highlvlvpc/search_network` (docs/contract.md#2.2) */
  searchNetwork(args: SearchNetworkArguments, options?: CallOptions): Paged<SearchNetworkResponse, SearchNetworkRow>;
  /** Deletes a subnet other than the primary one, which is deleted with its VPC. It destroys. `DELETE /v1/highlvlvpc/delete_subnet` (docs/contract.md#2.2) */
  deleteSubnet(args: DeleteSubnetArguments, options?: CallOptions): Promise<DeleteSubnetResponse>;
}

/** Arguments of `createPort`. */
export interface CreatePortArguments {
  /** ID of the VPC. */
  readonly vpcId: string;
  /** ID of the network of the VPC. */
  readonly networkId: string;
  /** ID of the subnet. */
  readonly subnetId: string;
  /** Name of the port. */
  readonly name: string;
  /** If true, a public address is reserved on the port. Default: `false`. */
  readonly floatingIp?: boolean | undefined;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `createPort`, in the names of the API. */
export type CreatePortResponse = {
  readonly port_krn?: string | null | undefined;
  readonly floating_ip_krn?: string | null | undefined;
  readonly floating_ip_address?: string | null | undefined;
  readonly message?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `searchPort`. */
export interface SearchPortArguments {
  /** ID of a port. */
  readonly portId?: string | undefined;
  /** Name of a port. */
  readonly name?: string | undefined;
  /** ID of the network. */
  readonly networkId?: string | undefined;
  /** ID of the VPC. */
  readonly vpcId?: string | undefined;
  /** Status of the ports, such as `ACTIVE`. */
  readonly status?: string | undefined;
  /** Number of the page, beginning with 1. At least 1. */
  readonly page?: number | undefined;
  /** Number of rows of a page. Default: chosen by the API. At least 1. */
  readonly size?: number | undefined;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `searchPort`, in the names of the API. */
export type SearchPortResponse = readonly {
  readonly port_id?: string | null | undefined;
  readonly krn_id?: string | null | undefined;
  readonly id?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly network_id?: string | null | undefined;
  readonly subnet_id?: string | null | undefined;
  readonly mac_address?: string | null | undefined;
  readonly fixed_ips?: readonly {
    readonly ip_address?: string | null | undefined;
    readonly subnet_id?: string | null | undefined;
    readonly [field: string]: unknown;
  }[] | null | undefined;
  readonly floating_ip_address?: string | null | undefined;
  readonly security_group_krns?: readonly string[] | null | undefined;
  readonly device_id?: string | null | undefined;
  readonly device_owner?: string | null | undefined;
  readonly admin_state_up?: boolean | null | undefined;
  readonly status?: string | null | undefined;
  readonly created_at?: string | null | undefined;
  readonly [field: string]: unknown;
}[] | {
  readonly ports: readonly {
    readonly port_id?: string | null | undefined;
    readonly krn_id?: string | null | undefined;
    readonly id?: string | null | undefined;
    readonly name?: string | null | undefined;
    readonly network_id?: string | null | undefined;
    readonly subnet_id?: string | null | undefined;
    readonly mac_address?: string | null | undefined;
    readonly fixed_ips?: readonly {
      readonly ip_address?: string | null | undefined;
      readonly subnet_id?: string | null | undefined;
      readonly [field: string]: unknown;
    }[] | null | undefined;
    readonly floating_ip_address?: string | null | undefined;
    readonly security_group_krns?: readonly string[] | null | undefined;
    readonly device_id?: string | null | undefined;
    readonly device_owner?: string | null | undefined;
    readonly admin_state_up?: boolean | null | undefined;
    readonly status?: string | null | undefined;
    readonly created_at?: string | null | undefined;
    readonly [field: string]: unknown;
  }[];
  readonly total_count?: number | null | undefined;
  readonly totalCount?: number | null | undefined;
  readonly total_pages?: number | null | undefined;
  readonly totalPages?: number | null | undefined;
  readonly [field: string]: unknown;
};

/** Row of `searchPort`. */
export type SearchPortRow = {
  readonly port_id?: string | null | undefined;
  readonly krn_id?: string | null | undefined;
  readonly id?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly network_id?: string | null | undefined;
  readonly subnet_id?: string | null | undefined;
  readonly mac_address?: string | null | undefined;
  readonly fixed_ips?: readonly {
    readonly ip_address?: string | null | undefined;
    readonly subnet_id?: string | null | undefined;
    readonly [field: string]: unknown;
  }[] | null | undefined;
  readonly floating_ip_address?: string | null | undefined;
  readonly security_group_krns?: readonly string[] | null | undefined;
  readonly device_id?: string | null | undefined;
  readonly device_owner?: string | null | undefined;
  readonly admin_state_up?: boolean | null | undefined;
  readonly status?: string | null | undefined;
  readonly created_at?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `updatePortSecurityGroups`. */
export interface UpdatePortSecurityGroupsArguments {
  /** ID of the port: `network_ports[].krn` of an instance. */
  readonly portKrn: string;
  /** IDs of all security groups of the port, of which there is at least one. */
  readonly securityGroups: readonly string[];
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `updatePortSecurityGroups`, in the names of the API. */
export type UpdatePortSecurityGroupsResponse = {
  readonly port?: { readonly [name: string]: unknown } | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `listFloatingIps`. */
export interface ListFloatingIpsArguments {
  /** ID of the VPC. */
  readonly vpcId: string;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `listFloatingIps`, in the names of the API. */
export type ListFloatingIpsResponse = readonly {
  readonly floating_ip_krn?: string | null | undefined;
  readonly floating_ip_address?: string | null | undefined;
  readonly port_krn?: string | null | undefined;
  readonly subnet_name?: string | null | undefined;
  readonly ip_version?: number | string | null | undefined;
  readonly visibility?: string | null | undefined;
  readonly vm_name?: string | null | undefined;
  readonly [field: string]: unknown;
}[];

/** Row of `listFloatingIps`. */
export type ListFloatingIpsRow = {
  readonly floating_ip_krn?: string | null | undefined;
  readonly floating_ip_address?: string | null | undefined;
  readonly port_krn?: string | null | undefined;
  readonly subnet_name?: string | null | undefined;
  readonly ip_version?: number | string | null | undefined;
  readonly visibility?: string | null | undefined;
  readonly vm_name?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `attachFloatingIp`. */
export interface AttachFloatingIpArguments {
  /** ID of the port that has the address. */
  readonly holderPortKrn: string;
  /** ID of the port that gets the address. */
  readonly targetPortKrn: string;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `attachFloatingIp`, in the names of the API. */
export type AttachFloatingIpResponse = {
  readonly message?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `detachFloatingIp`. */
export interface DetachFloatingIpArguments {
  /** ID of the port: `network_ports[].krn` of an instance. */
  readonly portKrn: string;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `detachFloatingIp`, in the names of the API. */
export type DetachFloatingIpResponse = {
  readonly message?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `deleteFloatingIp`. */
export interface DeleteFloatingIpArguments {
  /** ID of the address. */
  readonly floatingIpKrn: string;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `deleteFloatingIp`, in the names of the API. */
export type DeleteFloatingIpResponse = {
  readonly message?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Operations of the area `port`. */
export interface PortOperations {
  /** Creates a port or, with `floatingIp`, reserves a public address on a new port, which is billed. `POST /v1/highlvlvpc/create_port` (docs/contract.md#2.3) */
  createPort(args: CreatePortArguments, options?: CallOptions): Promise<CreatePortResponse>;
  /** Lists ports by VPC, network, name or status, in pages. With `for await`, returns the rows of all pages. `GET /v1/highlvlvpc/search_port` (docs/contract.md#2.3) */
  searchPort(args?: SearchPortArguments, options?: CallOptions): Paged<SearchPortResponse, SearchPortRow>;
  /** Replaces all security groups of a port. `PUT /api/v1/ports/{port}` (docs/contract.md#2.3) */
  updatePortSecurityGroups(args: UpdatePortSecurityGroupsArguments, options?: CallOptions): Promise<UpdatePortSecurityGroupsResponse>;
  /** Lists the floating IP addresses of a VPC. With `for await`, returns the rows of all pages. `GET /v1/highlvlvpc/floating_ip_list` (docs/contract.md#2.3) */
  listFloatingIps(args: ListFloatingIpsArguments, options?: CallOptions): Paged<ListFloatingIpsResponse, ListFloatingIpsRow>;
  /** Moves a floating IP address between two ports; a listing shows which of the two has it then. `POST /v1/highlvlvpc/attachFloatingIp` (docs/contract.md#2.3) */
  attachFloatingIp(args: AttachFloatingIpArguments, options?: CallOptions): Promise<AttachFloatingIpResponse>;
  /** Detaches a floating IP address from the port of an instance. The address stays reserved, as far as is known. It destroys. `DELETE /v1/highlvlvpc/detachFloatingIp/{port}` (docs/contract.md#2.3) */
  detachFloatingIp(args: DetachFloatingIpArguments, options?: CallOptions): Promise<DetachFloatingIpResponse>;
  /** Releases a floating IP address, which must be detached. It destroys. `DELETE /v1/highlvlvpc/delete_floating_ip` (docs/contract.md#2.3) */
  deleteFloatingIp(args: DeleteFloatingIpArguments, options?: CallOptions): Promise<DeleteFloatingIpResponse>;
}

/** Arguments of `createSecurityGroup`. */
export interface CreateSecurityGroupArguments {
  /** ID of the VPC. */
  readonly vpcId: string;
  /** Name of the security group. */
  readonly name: string;
  /** Free-text description of the security group. */
  readonly description?: string | undefined;
  /** Kind of the security group, such as `lb`. */
  readonly type?: string | undefined;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `createSecurityGroup`, in the names of the API. */
export type CreateSecurityGroupResponse = {
  readonly krn?: string | null | undefined;
  readonly id?: string | null | undefined;
  readonly securityGroupId?: string | null | undefined;
  readonly securityid?: string | null | undefined;
  readonly rulekrn?: string | null | undefined;
  readonly ruleid?: string | null | undefined;
  readonly securityGroupRuleId?: string | null | undefined;
  readonly result?: {
    readonly krn?: string | null | undefined;
    readonly id?: string | null | undefined;
    readonly securityGroupId?: string | null | undefined;
    readonly securityid?: string | null | undefined;
    readonly rulekrn?: string | null | undefined;
    readonly ruleid?: string | null | undefined;
    readonly securityGroupRuleId?: string | null | undefined;
    readonly [field: string]: unknown;
  } | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `listSecurityGroups`. */
export interface ListSecurityGroupsArguments {
  /** ID of the VPC. */
  readonly vpcId: string;
  /** Number of rows of a page. Default: chosen by the API. At least 1. */
  readonly limit?: number | undefined;
  /** Number of groups before the page. At least 0. */
  readonly offset?: number | undefined;
  /** Number of the page, beginning with 1, instead of `offset`. At least 1. */
  readonly page?: number | undefined;
  /** Field by which the groups are sorted. */
  readonly sortBy?: "createdAt" | "name" | undefined;
  /** Order of the groups. */
  readonly sortOrder?: "asc" | "desc" | undefined;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `listSecurityGroups`, in the names of the API. */
export type ListSecurityGroupsResponse = {
  readonly result: readonly {
    readonly id: string;
    readonly name?: string | null | undefined;
    readonly description?: string | null | undefined;
    readonly createdAt?: string | null | undefined;
    readonly rules?: readonly (string | {
      readonly id: string;
      readonly [field: string]: unknown;
    })[] | null | undefined;
    readonly [field: string]: unknown;
  }[];
  readonly pagination?: {
    readonly totalCount?: number | null | undefined;
    readonly total_count?: number | null | undefined;
    readonly [field: string]: unknown;
  } | null | undefined;
  readonly [field: string]: unknown;
} | {
  readonly items: readonly {
    readonly id: string;
    readonly name?: string | null | undefined;
    readonly description?: string | null | undefined;
    readonly createdAt?: string | null | undefined;
    readonly rules?: readonly (string | {
      readonly id: string;
      readonly [field: string]: unknown;
    })[] | null | undefined;
    readonly [field: string]: unknown;
  }[];
  readonly totalCount?: number | null | undefined;
  readonly [field: string]: unknown;
};

/** Row of `listSecurityGroups`. */
export type ListSecurityGroupsRow = {
  readonly id: string;
  readonly name?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly createdAt?: string | null | undefined;
  readonly rules?: readonly (string | {
    readonly id: string;
    readonly [field: string]: unknown;
  })[] | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `deleteSecurityGroup`. */
export interface DeleteSecurityGroupArguments {
  /** ID of the security group. */
  readonly securityGroupId: string;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Arguments of `createRule`. */
export interface CreateRuleArguments {
  /** ID of the VPC. */
  readonly vpcId: string;
  /** Direction of the traffic. */
  readonly direction: "ingress" | "egress";
  /** IP version of the traffic. */
  readonly ethertype: "ipv4" | "ipv6" | "IPv4" | "IPv6";
  /** Protocol of the traffic. Known values: `tcp`, `udp`, `icmp`, `all`. */
  readonly protocol: string;
  /** First port of the range, also of a protocol without ports. Default: `1`. At least 0. At most 65535. */
  readonly portRangeMin?: number | undefined;
  /** Last port of the range. Default: `65535`. At least 0. At most 65535. */
  readonly portRangeMax?: number | undefined;
  /** Address range of the other side in CIDR notation, such as `10.0.0.0/16`. */
  readonly remoteIpPrefix: string;
  /** Free-text description of the rule. */
  readonly description?: string | undefined;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `createRule`, in the names of the API. */
export type CreateRuleResponse = {
  readonly krn?: string | null | undefined;
  readonly id?: string | null | undefined;
  readonly securityGroupId?: string | null | undefined;
  readonly securityid?: string | null | undefined;
  readonly rulekrn?: string | null | undefined;
  readonly ruleid?: string | null | undefined;
  readonly securityGroupRuleId?: string | null | undefined;
  readonly result?: {
    readonly krn?: string | null | undefined;
    readonly id?: string | null | undefined;
    readonly securityGroupId?: string | null | undefined;
    readonly securityid?: string | null | undefined;
    readonly rulekrn?: string | null | undefined;
    readonly ruleid?: string | null | undefined;
    readonly securityGroupRuleId?: string | null | undefined;
    readonly [field: string]: unknown;
  } | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `attachRule`. */
export interface AttachRuleArguments {
  /** ID of the VPC. */
  readonly vpcId: string;
  /** ID of the rule. */
  readonly ruleId: string;
  /** ID of the security group. */
  readonly securityGroupId: string;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `attachRule`, in the names of the API. */
export type AttachRuleResponse = {
  readonly message?: string | null | undefined;
  readonly status?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `detachRule`. */
export interface DetachRuleArguments {
  /** ID of the VPC. */
  readonly vpcId: string;
  /** ID of the rule. */
  readonly ruleId: string;
  /** ID of the security group. */
  readonly securityGroupId: string;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `detachRule`, in the names of the API. */
export type DetachRuleResponse = {
  readonly message?: string | null | undefined;
  readonly status?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `deleteRule`. */
export interface DeleteRuleArguments {
  /** ID of the rule. */
  readonly ruleId: string;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Operations of the area `securityGroup`. */
export interface SecurityGroupOperations {
  /** Creates a security group in a VPC. `POST /securityGroup/v1` (docs/contract.md#3) */
  createSecurityGroup(args: CreateSecurityGroupArguments, options?: CallOptions): Promise<CreateSecurityGroupResponse>;
  /** Lists the security groups of a VPC with the IDs of their rules, in pages. With `for await`, returns the rows of all pages. `GET /securityGroup/v1/{vpc}` (docs/contract.md#3) */
  listSecurityGroups(args: ListSecurityGroupsArguments, options?: CallOptions): Paged<ListSecurityGroupsResponse, ListSecurityGroupsRow>;
  /** Deletes a security group that no port uses. It destroys. `DELETE /securityGroup/v1/{group}` (docs/contract.md#3) */
  deleteSecurityGroup(args: DeleteSecurityGroupArguments, options?: CallOptions): Promise<void>;
  /** Creates a rule, which has no effect until it is attached to a security group. `POST /securityGroup/v1/rule` (docs/contract.md#3) */
  createRule(args: CreateRuleArguments, options?: CallOptions): Promise<CreateRuleResponse>;
  /** Attaches a rule to a security group. `POST /securityGroup/v1/attachrule` (docs/contract.md#3) */
  attachRule(args: AttachRuleArguments, options?: CallOptions): Promise<AttachRuleResponse>;
  /** Detaches a rule from a security group; the rule still exists then. `POST /securityGroup/v1/deattachrule` (docs/contract.md#3) */
  detachRule(args: DetachRuleArguments, options?: CallOptions): Promise<DetachRuleResponse>;
  /** Deletes a rule that is attached to no security group. It destroys. `DELETE /securityGroup/v1/rule/{rule}` (docs/contract.md#3) */
  deleteRule(args: DeleteRuleArguments, options?: CallOptions): Promise<void>;
}

/** Arguments of `createSshKey`. */
export interface CreateSshKeyArguments {
  /** Name of the key, by which instances refer to it. */
  readonly keyName: string;
  /** Public key in OpenSSH format, such as `ssh-ed25519 AAAA…`. */
  readonly publicKey: string;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `createSshKey`, in the names of the API. */
export type CreateSshKeyResponse = {
  readonly _id?: string | null | undefined;
  readonly uuid?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `listSshKeys`. */
export interface ListSshKeysArguments {
  /** ID of the customer, a UUID. Default: the one of the client, or of the KRNs in responses. */
  readonly customerId?: string | undefined;
  /** Field by which the keys are sorted, such as `createdAt`. */
  readonly sortBy?: string | undefined;
  /** Order of the keys. */
  readonly sortOrder?: "asc" | "desc" | undefined;
  /** Number of the page, beginning with 1. At least 1. */
  readonly page?: number | undefined;
  /** Number of rows of a page. Default: chosen by the API. At least 1. */
  readonly limit?: number | undefined;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `listSshKeys`, in the names of the API. */
export type ListSshKeysResponse = {
  readonly sshKeys: readonly {
    readonly _id?: string | null | undefined;
    readonly uuid?: string | null | undefined;
    readonly keyName: string;
    readonly publicKey?: string | null | undefined;
    readonly [field: string]: unknown;
  }[];
  readonly [field: string]: unknown;
};

/** Row of `listSshKeys`. */
export type ListSshKeysRow = {
  readonly _id?: string | null | undefined;
  readonly uuid?: string | null | undefined;
  readonly keyName: string;
  readonly publicKey?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `searchSshKeys`. */
export interface SearchSshKeysArguments {
  /** Part of the name. */
  readonly keyName?: string | undefined;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `searchSshKeys`, in the names of the API. */
export type SearchSshKeysResponse = {
  readonly sshKeys: readonly {
    readonly _id?: string | null | undefined;
    readonly uuid?: string | null | undefined;
    readonly keyName: string;
    readonly publicKey?: string | null | undefined;
    readonly [field: string]: unknown;
  }[];
  readonly [field: string]: unknown;
};

/** Row of `searchSshKeys`. */
export type SearchSshKeysRow = {
  readonly _id?: string | null | undefined;
  readonly uuid?: string | null | undefined;
  readonly keyName: string;
  readonly publicKey?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `deleteSshKey`. */
export interface DeleteSshKeyArguments {
  /** UUID of the key: the field `uuid`, not the KRN. */
  readonly uuid: string;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Operations of the area `sshKey`. */
export interface SshKeyOperations {
  /** Uploads the public key of an SSH key pair. `POST /v2/sshkeys` (docs/contract.md#4) */
  createSshKey(args: CreateSshKeyArguments, options?: CallOptions): Promise<CreateSshKeyResponse>;
  /** Lists the SSH keys of a customer, in pages. With `for await`, returns the rows of all pages. `GET /v2/sshkeys/{customer}` (docs/contract.md#4) */
  listSshKeys(args?: ListSshKeysArguments, options?: CallOptions): Paged<ListSshKeysResponse, ListSshKeysRow>;
  /** Lists the SSH keys whose name contains a text. With `for await`, returns the rows of all pages. `GET /v2/sshkeys/search` (docs/contract.md#4) */
  searchSshKeys(args?: SearchSshKeysArguments, options?: CallOptions): Paged<SearchSshKeysResponse, SearchSshKeysRow>;
  /** Deletes an SSH key. It destroys. `DELETE /v2/sshkeys/{key}` (docs/contract.md#4) */
  deleteSshKey(args: DeleteSshKeyArguments, options?: CallOptions): Promise<void>;
}

/** Arguments of `listImages`. */
export interface ListImagesArguments {
  /** Number of the page, beginning with 1. At least 1. */
  readonly page?: number | undefined;
  /** Number of rows of a page. Default: chosen by the API. At least 1. */
  readonly limit?: number | undefined;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `listImages`, in the names of the API. */
export type ListImagesResponse = {
  readonly images: readonly { readonly [name: string]: unknown }[];
  readonly total_count?: number | null | undefined;
  readonly totalCount?: number | null | undefined;
  readonly total_pages?: number | null | undefined;
  readonly totalPages?: number | null | undefined;
  readonly [field: string]: unknown;
};

/** Row of `listImages`. */
export type ListImagesRow = { readonly [name: string]: unknown };

/** Arguments of `createImage`. */
export interface CreateImageArguments {
  /** ID of the instance. */
  readonly instanceKrn: string;
  /** Name of the image. */
  readonly name: string;
  /** Free-text description of the image. */
  readonly description?: string | undefined;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `createImage`, in the names of the API. */
export type CreateImageResponse = {
  readonly image?: string | null | undefined;
  readonly task_id?: string | null | undefined;
  readonly message?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `deleteImage`. */
export interface DeleteImageArguments {
  /** ID of the image or of the snapshot. */
  readonly imageKrn: string;
}

/** Arguments of `importImage`. */
export interface ImportImageArguments {
  /** Format of the disk in the file. */
  readonly diskFormat: "qcow2" | "vhd" | "vhdx" | "vmdk" | "raw" | "iso";
  /** URL of the file. */
  readonly image: string;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `importImage`, in the names of the API. */
export type ImportImageResponse = {
  readonly message?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `uploadImage`. */
export interface UploadImageArguments {
  /** Format of the disk in the file. */
  readonly diskFormat: "qcow2" | "vhd" | "vhdx" | "vmdk" | "raw" | "iso";
  /** Name of the file, which names the image. */
  readonly fileName: string;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
  /** Content of the disk image. Bytes, a `Blob`, or an object with the path of a file. */
  readonly content: UploadContent;
}

/** Response to `uploadImage`, in the names of the API. */
export type UploadImageResponse = {
  readonly message?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `listDiskFormats`. */
export type ListDiskFormatsArguments = { readonly [name: string]: never };

/** Response to `listDiskFormats`, in the names of the API. */
export type ListDiskFormatsResponse = readonly string[];

/** Row of `listDiskFormats`. */
export type ListDiskFormatsRow = string;

/** Arguments of `listFlavors`. */
export interface ListFlavorsArguments {
  /** Kind of the instance types. */
  readonly type?: "CPU" | "GPU" | undefined;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `listFlavors`, in the names of the API. */
export type ListFlavorsResponse = readonly {
  readonly subject?: string | null | undefined;
  readonly groupBy: readonly {
    readonly flavorid?: string | null | undefined;
    readonly flavorname: string;
    readonly cpus?: number | string | null | undefined;
    readonly cpuram?: number | string | null | undefined;
    readonly cost?: number | string | null | undefined;
    readonly currency?: string | null | undefined;
    readonly unit?: string | null | undefined;
    readonly flavorstatus?: string | null | undefined;
    readonly type?: string | null | undefined;
    readonly [field: string]: unknown;
  }[];
  readonly [field: string]: unknown;
}[];

/** Row of `listFlavors`. */
export type ListFlavorsRow = {
  readonly subject?: string | null | undefined;
  readonly groupBy: readonly {
    readonly flavorid?: string | null | undefined;
    readonly flavorname: string;
    readonly cpus?: number | string | null | undefined;
    readonly cpuram?: number | string | null | undefined;
    readonly cost?: number | string | null | undefined;
    readonly currency?: string | null | undefined;
    readonly unit?: string | null | undefined;
    readonly flavorstatus?: string | null | undefined;
    readonly type?: string | null | undefined;
    readonly [field: string]: unknown;
  }[];
  readonly [field: string]: unknown;
};

/** Operations of the area `image`. */
export interface ImageOperations {
  /** Lists the images of a region, public ones included, in pages. With `for await`, returns the rows of all pages. `GET /vm/v1/image/{region}` (docs/contract.md#5) */
  listImages(args?: ListImagesArguments, options?: CallOptions): Paged<ListImagesResponse, ListImagesRow>;
  /** Starts the creation of an image from the boot volume of an instance. `POST /vm/v1/instance/createimage/{instance}` (docs/contract.md#5) */
  createImage(args: CreateImageArguments, options?: CallOptions): Promise<CreateImageResponse>;
  /** Deletes an image, or the snapshot of a volume. It destroys. `DELETE /vm/v1/image/{image}` (docs/contract.md#5) */
  deleteImage(args: DeleteImageArguments, options?: CallOptions): Promise<void>;
  /** Starts the import of an image from a URL. `POST /vm/v1/image/bucket/{region}` (docs/contract.md#5) */
  importImage(args: ImportImageArguments, options?: CallOptions): Promise<ImportImageResponse>;
  /** Uploads an image; the fields of the form are not documented. `POST /vm/v1/image/{region}` (docs/contract.md#5) */
  uploadImage(args: UploadImageArguments, options?: CallOptions): Promise<UploadImageResponse>;
  /** Lists the disk formats of images. With `for await`, returns the rows of all pages. `GET /vm/v1/image/disk-formats` (docs/contract.md#5) */
  listDiskFormats(args?: ListDiskFormatsArguments, options?: CallOptions): Paged<ListDiskFormatsResponse, ListDiskFormatsRow>;
  /** Lists the instance types of a region with their prices, in groups. With `for await`, returns the rows of all pages. `GET /api/v1/flavor/compute` (docs/contract.md#5) */
  listFlavors(args?: ListFlavorsArguments, options?: CallOptions): Paged<ListFlavorsResponse, ListFlavorsRow>;
}

/** Arguments of `createInstance`. */
export type CreateInstanceArguments = {
  /** Name of the instance. */
  readonly instanceName: string;
  /** Name of the instance type, which `listFlavors` of the area `image` lists. */
  readonly instanceType: string;
  /** ID of the VPC. */
  readonly vpcId: string;
  /** ID of the subnet. */
  readonly subnetId: string;
  /** Name of the SSH key. */
  readonly sshkeyName: string;
  /** IDs of the security groups. */
  readonly securityGroups: readonly string[];
  /** If true, the boot volume is deleted with the instance. Default: `true` for a new boot volume; an existing one is always kept. */
  readonly deleteOnTermination?: boolean | undefined;
  /** If true, the instance gets a public address, which is billed. Default: `false`. */
  readonly floatingIp?: boolean | undefined;
  /** User data for the first start as plain text, such as a `#cloud-config`. */
  readonly userData?: string | undefined;
  /** Tags of the instance. */
  readonly tags?: readonly {
    /** Key of the tag. */
    readonly key: string;
    /** Value of the tag. */
    readonly value: string;
  }[] | undefined;
  /** Number of instances; `batchCreateInstances` is better for several. Default: `1`. At least 1. */
  readonly count?: number | undefined;
  /** ID of the port of the instance. Default: a new port. */
  readonly portKrn?: string | undefined;
  /** If true, the instance type has GPUs. Default: `false`. */
  readonly isGpu?: boolean | undefined;
  /** Kind of the application that is installed. */
  readonly easydeployType?: string | undefined;
  /** Password of the gateway of the application. */
  readonly gatewayPassword?: string | undefined;
  /** Name of the model of the application. */
  readonly modelName?: string | undefined;
  /** API key of the model of the application. */
  readonly modelApiKey?: string | undefined;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
} & (
  | {
      /** ID of the image of a new boot volume. */
      readonly imageKrn: string;
      /** Name of a new boot volume. */
      readonly volumeName: string;
      /** Size of a new boot volume in GB. At least 1. */
      readonly volumeSize: number;
      /** Storage type of a new boot volume. Known values: `standard`, `ssd`, `HNSS`, `HNSS_Encrypted`. */
      readonly volumeType: string;
      readonly volumes?: undefined;
    }
  | {
      /** ID of an existing boot volume, as a list with one entry, in place of the four values of a new one. */
      readonly volumes: readonly string[];
      readonly imageKrn?: undefined;
      readonly volumeName?: undefined;
      readonly volumeSize?: undefined;
      readonly volumeType?: undefined;
    }
);

/** Response to `createInstance`, in the names of the API. */
export type CreateInstanceResponse = {
  readonly task_id?: string | null | undefined;
  readonly message?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `createInstanceSync`. */
export type CreateInstanceSyncArguments = {
  /** Name of the instance. */
  readonly instanceName: string;
  /** Name of the instance type, which `listFlavors` of the area `image` lists. */
  readonly instanceType: string;
  /** ID of the VPC. */
  readonly vpcId: string;
  /** ID of the subnet. */
  readonly subnetId: string;
  /** Name of the SSH key. */
  readonly sshkeyName: string;
  /** IDs of the security groups. */
  readonly securityGroups: readonly string[];
  /** If true, the boot volume is deleted with the instance. Default: `true` for a new boot volume; an existing one is always kept. */
  readonly deleteOnTermination?: boolean | undefined;
  /** If true, the instance gets a public address, which is billed. Default: `false`. */
  readonly floatingIp?: boolean | undefined;
  /** User data for the first start as plain text, such as a `#cloud-config`. */
  readonly userData?: string | undefined;
  /** Tags of the instance. */
  readonly tags?: readonly {
    /** Key of the tag. */
    readonly key: string;
    /** Value of the tag. */
    readonly value: string;
  }[] | undefined;
  /** ID of the port of the instance. Default: a new port. */
  readonly portKrn?: string | undefined;
  /** If true, the instance type has GPUs. Default: `false`. */
  readonly isGpu?: boolean | undefined;
  /** Kind of the application that is installed. */
  readonly easydeployType?: string | undefined;
  /** Password of the gateway of the application. */
  readonly gatewayPassword?: string | undefined;
  /** Name of the model of the application. */
  readonly modelName?: string | undefined;
  /** API key of the model of the application. */
  readonly modelApiKey?: string | undefined;
  /** ID of the network, which only this route accepts. */
  readonly networkId?: string | undefined;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
} & (
  | {
      /** ID of the image of a new boot volume. */
      readonly imageKrn: string;
      /** Name of a new boot volume. */
      readonly volumeName: string;
      /** Size of a new boot volume in GB. At least 1. */
      readonly volumeSize: number;
      /** Storage type of a new boot volume. Known values: `standard`, `ssd`, `HNSS`, `HNSS_Encrypted`. */
      readonly volumeType: string;
      readonly volumes?: undefined;
    }
  | {
      /** ID of an existing boot volume, as a list with one entry, in place of the four values of a new one. */
      readonly volumes: readonly string[];
      readonly imageKrn?: undefined;
      readonly volumeName?: undefined;
      readonly volumeSize?: undefined;
      readonly volumeType?: undefined;
    }
);

/** Response to `createInstanceSync`, in the names of the API. */
export type CreateInstanceSyncResponse = {
  readonly instance_krn?: string | null | undefined;
  readonly port_krn?: string | null | undefined;
  readonly volume_krn?: string | null | undefined;
  readonly floating_ip_krn?: string | null | undefined;
  readonly floating_ip_address?: string | null | undefined;
  readonly message?: string | null | undefined;
  readonly status?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `getInstanceTaskStatus`. */
export interface GetInstanceTaskStatusArguments {
  /** ID of the task. */
  readonly taskId: string;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `getInstanceTaskStatus`, in the names of the API. */
export type GetInstanceTaskStatusResponse = {
  readonly status?: string | null | undefined;
  readonly message?: string | null | undefined;
  readonly task_id?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `searchInstances`. */
export interface SearchInstancesArguments {
  /** ID of the VPC. */
  readonly vpcId: string;
  /** Number of the page, beginning with 1. At least 1. */
  readonly page?: number | undefined;
  /** Number of rows of a page. Default: chosen by the API. At least 1. */
  readonly limit?: number | undefined;
  /** ID of an instance. */
  readonly krn?: string | undefined;
  /** Name of an instance. */
  readonly name?: string | undefined;
  /** IP address of an instance in its subnet. */
  readonly ipFixed?: string | undefined;
  /** Public IP address of an instance. */
  readonly ipFloating?: string | undefined;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `searchInstances`, in the names of the API. */
export type SearchInstancesResponse = {
  readonly instances: readonly {
    readonly krn?: string | null | undefined;
    readonly task_id?: string | null | undefined;
    readonly vm_name?: string | null | undefined;
    readonly instanceName?: string | null | undefined;
    readonly flavor_name?: string | null | undefined;
    readonly instanceType?: string | null | undefined;
    readonly status?: string | null | undefined;
    readonly vpcId?: string | null | undefined;
    readonly project_krn?: string | null | undefined;
    readonly subnetId?: string | null | undefined;
    readonly sshkey_name?: string | null | undefined;
    readonly security_groups?: readonly unknown[] | null | undefined;
    readonly tags?: readonly unknown[] | null | undefined;
    readonly volume_krn?: string | null | undefined;
    readonly volumes?: readonly unknown[] | null | undefined;
    readonly ip_fixed?: string | null | undefined;
    readonly ipAddress?: string | null | undefined;
    readonly floatingIpAddress?: string | null | undefined;
    readonly floating_ip_krn?: string | null | undefined;
    readonly networkId?: string | null | undefined;
    readonly batch_id?: string | null | undefined;
    readonly delete_protection_status?: string | boolean | null | undefined;
    readonly port_krn?: string | null | undefined;
    readonly network_ports?: readonly {
      readonly krn: string;
      readonly fixed_ip?: string | null | undefined;
      readonly floating_ip?: string | null | undefined;
      readonly [field: string]: unknown;
    }[] | null | undefined;
    readonly vm_volume_disk_size?: number | string | null | undefined;
    readonly created_at?: string | null | undefined;
    readonly createdAt?: string | null | undefined;
    readonly failed_step?: string | null | undefined;
    readonly failure_reason?: string | null | undefined;
    readonly [field: string]: unknown;
  }[];
  readonly total_count?: number | null | undefined;
  readonly totalCount?: number | null | undefined;
  readonly total_pages?: number | null | undefined;
  readonly totalPages?: number | null | undefined;
  readonly [field: string]: unknown;
};

/** Row of `searchInstances`. */
export type SearchInstancesRow = {
  readonly krn?: string | null | undefined;
  readonly task_id?: string | null | undefined;
  readonly vm_name?: string | null | undefined;
  readonly instanceName?: string | null | undefined;
  readonly flavor_name?: string | null | undefined;
  readonly instanceType?: string | null | undefined;
  readonly status?: string | null | undefined;
  readonly vpcId?: string | null | undefined;
  readonly project_krn?: string | null | undefined;
  readonly subnetId?: string | null | undefined;
  readonly sshkey_name?: string | null | undefined;
  readonly security_groups?: readonly unknown[] | null | undefined;
  readonly tags?: readonly unknown[] | null | undefined;
  readonly volume_krn?: string | null | undefined;
  readonly volumes?: readonly unknown[] | null | undefined;
  readonly ip_fixed?: string | null | undefined;
  readonly ipAddress?: string | null | undefined;
  readonly floatingIpAddress?: string | null | undefined;
  readonly floating_ip_krn?: string | null | undefined;
  readonly networkId?: string | null | undefined;
  readonly batch_id?: string | null | undefined;
  readonly delete_protection_status?: string | boolean | null | undefined;
  readonly port_krn?: string | null | undefined;
  readonly network_ports?: readonly {
    readonly krn: string;
    readonly fixed_ip?: string | null | undefined;
    readonly floating_ip?: string | null | undefined;
    readonly [field: string]: unknown;
  }[] | null | undefined;
  readonly vm_volume_disk_size?: number | string | null | undefined;
  readonly created_at?: string | null | undefined;
  readonly createdAt?: string | null | undefined;
  readonly failed_step?: string | null | undefined;
  readonly failure_reason?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `getInstance`. */
export interface GetInstanceArguments {
  /** ID of the instance. */
  readonly instanceKrn: string;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `getInstance`, in the names of the API. */
export type GetInstanceResponse = {
  readonly krn?: string | null | undefined;
  readonly task_id?: string | null | undefined;
  readonly vm_name?: string | null | undefined;
  readonly instanceName?: string | null | undefined;
  readonly flavor_name?: string | null | undefined;
  readonly instanceType?: string | null | undefined;
  readonly status?: string | null | undefined;
  readonly vpcId?: string | null | undefined;
  readonly project_krn?: string | null | undefined;
  readonly subnetId?: string | null | undefined;
  readonly sshkey_name?: string | null | undefined;
  readonly security_groups?: readonly unknown[] | null | undefined;
  readonly tags?: readonly unknown[] | null | undefined;
  readonly volume_krn?: string | null | undefined;
  readonly volumes?: readonly unknown[] | null | undefined;
  readonly ip_fixed?: string | null | undefined;
  readonly ipAddress?: string | null | undefined;
  readonly floatingIpAddress?: string | null | undefined;
  readonly floating_ip_krn?: string | null | undefined;
  readonly networkId?: string | null | undefined;
  readonly batch_id?: string | null | undefined;
  readonly delete_protection_status?: string | boolean | null | undefined;
  readonly port_krn?: string | null | undefined;
  readonly network_ports?: readonly {
    readonly krn: string;
    readonly fixed_ip?: string | null | undefined;
    readonly floating_ip?: string | null | undefined;
    readonly [field: string]: unknown;
  }[] | null | undefined;
  readonly vm_volume_disk_size?: number | string | null | undefined;
  readonly created_at?: string | null | undefined;
  readonly createdAt?: string | null | undefined;
  readonly failed_step?: string | null | undefined;
  readonly failure_reason?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `listRunningInstances`. */
export interface ListRunningInstancesArguments {
  /** ID of the VPC. */
  readonly vpcId: string;
  /** Number of the page, beginning with 1. At least 1. */
  readonly page?: number | undefined;
  /** Number of rows of a page. At least 1. */
  readonly pageSize?: number | undefined;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `listRunningInstances`, in the names of the API. */
export type ListRunningInstancesResponse = {
  readonly instances: readonly {
    readonly krn?: string | null | undefined;
    readonly task_id?: string | null | undefined;
    readonly vm_name?: string | null | undefined;
    readonly instanceName?: string | null | undefined;
    readonly flavor_name?: string | null | undefined;
    readonly instanceType?: string | null | undefined;
    readonly status?: string | null | undefined;
    readonly vpcId?: string | null | undefined;
    readonly project_krn?: string | null | undefined;
    readonly subnetId?: string | null | undefined;
    readonly sshkey_name?: string | null | undefined;
    readonly security_groups?: readonly unknown[] | null | undefined;
    readonly tags?: readonly unknown[] | null | undefined;
    readonly volume_krn?: string | null | undefined;
    readonly volumes?: readonly unknown[] | null | undefined;
    readonly ip_fixed?: string | null | undefined;
    readonly ipAddress?: string | null | undefined;
    readonly floatingIpAddress?: string | null | undefined;
    readonly floating_ip_krn?: string | null | undefined;
    readonly networkId?: string | null | undefined;
    readonly batch_id?: string | null | undefined;
    readonly delete_protection_status?: string | boolean | null | undefined;
    readonly port_krn?: string | null | undefined;
    readonly network_ports?: readonly {
      readonly krn: string;
      readonly fixed_ip?: string | null | undefined;
      readonly floating_ip?: string | null | undefined;
      readonly [field: string]: unknown;
    }[] | null | undefined;
    readonly vm_volume_disk_size?: number | string | null | undefined;
    readonly created_at?: string | null | undefined;
    readonly createdAt?: string | null | undefined;
    readonly failed_step?: string | null | undefined;
    readonly failure_reason?: string | null | undefined;
    readonly [field: string]: unknown;
  }[];
  readonly total_count?: number | null | undefined;
  readonly totalCount?: number | null | undefined;
  readonly total_pages?: number | null | undefined;
  readonly totalPages?: number | null | undefined;
  readonly [field: string]: unknown;
} | readonly {
  readonly krn?: string | null | undefined;
  readonly task_id?: string | null | undefined;
  readonly vm_name?: string | null | undefined;
  readonly instanceName?: string | null | undefined;
  readonly flavor_name?: string | null | undefined;
  readonly instanceType?: string | null | undefined;
  readonly status?: string | null | undefined;
  readonly vpcId?: string | null | undefined;
  readonly project_krn?: string | null | undefined;
  readonly subnetId?: string | null | undefined;
  readonly sshkey_name?: string | null | undefined;
  readonly security_groups?: readonly unknown[] | null | undefined;
  readonly tags?: readonly unknown[] | null | undefined;
  readonly volume_krn?: string | null | undefined;
  readonly volumes?: readonly unknown[] | null | undefined;
  readonly ip_fixed?: string | null | undefined;
  readonly ipAddress?: string | null | undefined;
  readonly floatingIpAddress?: string | null | undefined;
  readonly floating_ip_krn?: string | null | undefined;
  readonly networkId?: string | null | undefined;
  readonly batch_id?: string | null | undefined;
  readonly delete_protection_status?: string | boolean | null | undefined;
  readonly port_krn?: string | null | undefined;
  readonly network_ports?: readonly {
    readonly krn: string;
    readonly fixed_ip?: string | null | undefined;
    readonly floating_ip?: string | null | undefined;
    readonly [field: string]: unknown;
  }[] | null | undefined;
  readonly vm_volume_disk_size?: number | string | null | undefined;
  readonly created_at?: string | null | undefined;
  readonly createdAt?: string | null | undefined;
  readonly failed_step?: string | null | undefined;
  readonly failure_reason?: string | null | undefined;
  readonly [field: string]: unknown;
}[];

/** Row of `listRunningInstances`. */
export type ListRunningInstancesRow = {
  readonly krn?: string | null | undefined;
  readonly task_id?: string | null | undefined;
  readonly vm_name?: string | null | undefined;
  readonly instanceName?: string | null | undefined;
  readonly flavor_name?: string | null | undefined;
  readonly instanceType?: string | null | undefined;
  readonly status?: string | null | undefined;
  readonly vpcId?: string | null | undefined;
  readonly project_krn?: string | null | undefined;
  readonly subnetId?: string | null | undefined;
  readonly sshkey_name?: string | null | undefined;
  readonly security_groups?: readonly unknown[] | null | undefined;
  readonly tags?: readonly unknown[] | null | undefined;
  readonly volume_krn?: string | null | undefined;
  readonly volumes?: readonly unknown[] | null | undefined;
  readonly ip_fixed?: string | null | undefined;
  readonly ipAddress?: string | null | undefined;
  readonly floatingIpAddress?: string | null | undefined;
  readonly floating_ip_krn?: string | null | undefined;
  readonly networkId?: string | null | undefined;
  readonly batch_id?: string | null | undefined;
  readonly delete_protection_status?: string | boolean | null | undefined;
  readonly port_krn?: string | null | undefined;
  readonly network_ports?: readonly {
    readonly krn: string;
    readonly fixed_ip?: string | null | undefined;
    readonly floating_ip?: string | null | undefined;
    readonly [field: string]: unknown;
  }[] | null | undefined;
  readonly vm_volume_disk_size?: number | string | null | undefined;
  readonly created_at?: string | null | undefined;
  readonly createdAt?: string | null | undefined;
  readonly failed_step?: string | null | undefined;
  readonly failure_reason?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `deleteInstance`. */
export type DeleteInstanceArguments = {
  /** If true, the boot volume is deleted too, with its data. Default: `false`. */
  readonly deleteVolume?: boolean | undefined;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
} & (
  | {
      /** ID of the instance. */
      readonly instanceKrn: string;
      readonly taskId?: undefined;
    }
  | {
      /** ID of the task whose creation failed, in place of the ID of the instance. */
      readonly taskId: string;
      readonly instanceKrn?: undefined;
    }
);

/** Response to `deleteInstance`, in the names of the API. */
export type DeleteInstanceResponse = {
  readonly task_id?: string | null | undefined;
  readonly message?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `deleteInstanceSync`. */
export interface DeleteInstanceSyncArguments {
  /** ID of the instance. */
  readonly instanceKrn: string;
  /** If true, the boot volume is deleted too, with its data. Default: `false`. */
  readonly deleteVolume?: boolean | undefined;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `deleteInstanceSync`, in the names of the API. */
export type DeleteInstanceSyncResponse = {
  readonly task_id?: string | null | undefined;
  readonly message?: string | null | undefined;
  readonly status?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `controlInstance`. */
export interface ControlInstanceArguments {
  /** ID of the instance. */
  readonly instanceKrn: string;
  /** Action on the instance. */
  readonly action: "start" | "stop" | "reboot";
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `controlInstance`, in the names of the API. */
export type ControlInstanceResponse = {
  readonly instance_krn?: string | null | undefined;
  readonly task_id?: string | null | undefined;
  readonly message?: string | null | undefined;
  readonly status?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `batchCreateInstances`. */
export interface BatchCreateInstancesArguments {
  /** ID of the instance template. */
  readonly templateKrn: string;
  /** Number of instances. At least 1. */
  readonly count: number;
  /** Start of the names of the instances. */
  readonly instanceName: string;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `batchCreateInstances`, in the names of the API. */
export type BatchCreateInstancesResponse = {
  readonly job_id?: string | null | undefined;
  readonly batch_source?: string | null | undefined;
  readonly total_count?: number | null | undefined;
  readonly message?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Operations of the area `instance`. */
export interface InstanceOperations extends InstanceWaiters {
  /** Starts the creation of an instance; `waitUntilActive` returns its ID. `POST /vm/v1/create_instance_async` (docs/contract.md#6) */
  createInstance(args: CreateInstanceArguments, options?: CallOptions): Promise<CreateInstanceResponse>;
  /** Creates an instance by the older route, which can fail with a 504 although the instance is created. `POST /vm/v1/create_instance` (docs/contract.md#6) */
  createInstanceSync(args: CreateInstanceSyncArguments, options?: CallOptions): Promise<CreateInstanceSyncResponse>;
  /** Returns the status of the task that creates or deletes an instance. `GET /vm/v1/get_instance_task_status` (docs/contract.md#6) */
  getInstanceTaskStatus(args: GetInstanceTaskStatusArguments, options?: CallOptions): Promise<GetInstanceTaskStatusResponse>;
  /** Lists the instances of a VPC, building and failed ones included, in pages. With `for await`, returns the rows of all pages. `GET /vm/v1/search_instances` (docs/contract.md#6) */
  searchInstances(args: SearchInstancesArguments, options?: CallOptions): Paged<SearchInstancesResponse, SearchInstancesRow>;
  /** Returns an instance with its network ports. `GET /v1/highlvlvpc/instance` (docs/contract.md#6) */
  getInstance(args: GetInstanceArguments, options?: CallOptions): Promise<GetInstanceResponse>;
  /** Lists the running instances of a VPC only, in pages. With `for await`, returns the rows of all pages. `GET /v1/highlvlvpc/instanceinfo` (docs/contract.md#6) */
  listRunningInstances(args: ListRunningInstancesArguments, options?: CallOptions): Paged<ListRunningInstancesResponse, ListRunningInstancesRow>;
  /** Starts the deletion of an instance or, by its task, of one whose creation failed. It destroys. `DELETE /vm/v1/delete_instance_async` (docs/contract.md#6) */
  deleteInstance(args: DeleteInstanceArguments, options?: CallOptions): Promise<DeleteInstanceResponse>;
  /** Deletes an instance by the older route. It destroys. `DELETE /vm/v1/delete_instance` (docs/contract.md#6) */
  deleteInstanceSync(args: DeleteInstanceSyncArguments, options?: CallOptions): Promise<DeleteInstanceSyncResponse>;
  /** Starts, stops or reboots an instance. `PUT /vm/v1/instance/{instance}` (docs/contract.md#6) */
  controlInstance(args: ControlInstanceArguments, options?: CallOptions): Promise<ControlInstanceResponse>;
  /** Starts the creation of several instances from a template. `POST /vm/v1/batch-vm-create` (docs/contract.md#7) */
  batchCreateInstances(args: BatchCreateInstancesArguments, options?: CallOptions): Promise<BatchCreateInstancesResponse>;
}

/** Arguments of `createTemplate`. */
export interface CreateTemplateArguments {
  /** Name of the template. */
  readonly name: string;
  /** ID of the VPC. */
  readonly vpcId: string;
  /** ID of the subnet. */
  readonly subnetId: string;
  /** Name of the instance type. */
  readonly instanceType: string;
  /** Name of the SSH key. */
  readonly sshkeyName: string;
  /** IDs of the security groups. */
  readonly securityGroups: readonly string[];
  /** ID of the image of the boot volumes. */
  readonly imageKrn: string;
  /** Name of the boot volumes. */
  readonly volumeName: string;
  /** Size of the boot volumes in GB. At least 1. */
  readonly volumeSize: number;
  /** Storage type of the boot volumes. Known values: `standard`, `ssd`, `HNSS`, `HNSS_Encrypted`. */
  readonly volumeType: string;
  /** If true, the instance type has GPUs. Default: `false`. */
  readonly isGpu?: boolean | undefined;
  /** User data for the first start as plain text. */
  readonly userData?: string | undefined;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `createTemplate`, in the names of the API. */
export type CreateTemplateResponse = {
  readonly template_krn: string;
  readonly name?: string | null | undefined;
  readonly created_at?: string | null | undefined;
  readonly config?: {
    readonly vpc_id?: string | null | undefined;
    readonly subnet_id?: string | null | undefined;
    readonly network_id?: string | null | undefined;
    readonly instanceType?: string | null | undefined;
    readonly sshkey_name?: string | null | undefined;
    readonly security_groups?: readonly string[] | null | undefined;
    readonly image_krn?: string | null | undefined;
    readonly image_name?: string | null | undefined;
    readonly volume_name?: string | null | undefined;
    readonly volume_size?: number | string | null | undefined;
    readonly volumetype?: string | null | undefined;
    readonly isGpu?: boolean | null | undefined;
    readonly user_data?: string | null | undefined;
    readonly [field: string]: unknown;
  } | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `listTemplates`. */
export interface ListTemplatesArguments {
  /** Number of the page, beginning with 1. At least 1. */
  readonly page?: number | undefined;
  /** Number of rows of a page. Default: chosen by the API. At least 1. */
  readonly limit?: number | undefined;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `listTemplates`, in the names of the API. */
export type ListTemplatesResponse = {
  readonly templates: readonly {
    readonly template_krn: string;
    readonly name?: string | null | undefined;
    readonly created_at?: string | null | undefined;
    readonly config?: {
      readonly vpc_id?: string | null | undefined;
      readonly subnet_id?: string | null | undefined;
      readonly network_id?: string | null | undefined;
      readonly instanceType?: string | null | undefined;
      readonly sshkey_name?: string | null | undefined;
      readonly security_groups?: readonly string[] | null | undefined;
      readonly image_krn?: string | null | undefined;
      readonly image_name?: string | null | undefined;
      readonly volume_name?: string | null | undefined;
      readonly volume_size?: number | string | null | undefined;
      readonly volumetype?: string | null | undefined;
      readonly isGpu?: boolean | null | undefined;
      readonly user_data?: string | null | undefined;
      readonly [field: string]: unknown;
    } | null | undefined;
    readonly [field: string]: unknown;
  }[] | null;
  readonly total_count?: number | null | undefined;
  readonly totalCount?: number | null | undefined;
  readonly total_pages?: number | null | undefined;
  readonly totalPages?: number | null | undefined;
  readonly [field: string]: unknown;
} | {
  readonly data: readonly {
    readonly template_krn: string;
    readonly name?: string | null | undefined;
    readonly created_at?: string | null | undefined;
    readonly config?: {
      readonly vpc_id?: string | null | undefined;
      readonly subnet_id?: string | null | undefined;
      readonly network_id?: string | null | undefined;
      readonly instanceType?: string | null | undefined;
      readonly sshkey_name?: string | null | undefined;
      readonly security_groups?: readonly string[] | null | undefined;
      readonly image_krn?: string | null | undefined;
      readonly image_name?: string | null | undefined;
      readonly volume_name?: string | null | undefined;
      readonly volume_size?: number | string | null | undefined;
      readonly volumetype?: string | null | undefined;
      readonly isGpu?: boolean | null | undefined;
      readonly user_data?: string | null | undefined;
      readonly [field: string]: unknown;
    } | null | undefined;
    readonly [field: string]: unknown;
  }[] | null;
  readonly total_count?: number | null | undefined;
  readonly totalCount?: number | null | undefined;
  readonly total_pages?: number | null | undefined;
  readonly totalPages?: number | null | undefined;
  readonly [field: string]: unknown;
};

/** Row of `listTemplates`. */
export type ListTemplatesRow = {
  readonly template_krn: string;
  readonly name?: string | null | undefined;
  readonly created_at?: string | null | undefined;
  readonly config?: {
    readonly vpc_id?: string | null | undefined;
    readonly subnet_id?: string | null | undefined;
    readonly network_id?: string | null | undefined;
    readonly instanceType?: string | null | undefined;
    readonly sshkey_name?: string | null | undefined;
    readonly security_groups?: readonly string[] | null | undefined;
    readonly image_krn?: string | null | undefined;
    readonly image_name?: string | null | undefined;
    readonly volume_name?: string | null | undefined;
    readonly volume_size?: number | string | null | undefined;
    readonly volumetype?: string | null | undefined;
    readonly isGpu?: boolean | null | undefined;
    readonly user_data?: string | null | undefined;
    readonly [field: string]: unknown;
  } | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `getTemplate`. */
export interface GetTemplateArguments {
  /** ID of the template. */
  readonly templateKrn: string;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `getTemplate`, in the names of the API. */
export type GetTemplateResponse = {
  readonly template_krn: string;
  readonly name?: string | null | undefined;
  readonly created_at?: string | null | undefined;
  readonly config?: {
    readonly vpc_id?: string | null | undefined;
    readonly subnet_id?: string | null | undefined;
    readonly network_id?: string | null | undefined;
    readonly instanceType?: string | null | undefined;
    readonly sshkey_name?: string | null | undefined;
    readonly security_groups?: readonly string[] | null | undefined;
    readonly image_krn?: string | null | undefined;
    readonly image_name?: string | null | undefined;
    readonly volume_name?: string | null | undefined;
    readonly volume_size?: number | string | null | undefined;
    readonly volumetype?: string | null | undefined;
    readonly isGpu?: boolean | null | undefined;
    readonly user_data?: string | null | undefined;
    readonly [field: string]: unknown;
  } | null | undefined;
  readonly updated_at?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `deleteTemplate`. */
export interface DeleteTemplateArguments {
  /** ID of the template. */
  readonly templateKrn: string;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `deleteTemplate`, in the names of the API. */
export type DeleteTemplateResponse = {
  readonly message?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Operations of the area `instanceTemplate`. */
export interface InstanceTemplateOperations {
  /** Creates a template for batches of instances. `POST /vm/v1/instance-templates/create` (docs/contract.md#7) */
  createTemplate(args: CreateTemplateArguments, options?: CallOptions): Promise<CreateTemplateResponse>;
  /** Lists the templates of a region, in pages. With `for await`, returns the rows of all pages. `GET /vm/v1/instance-templates/list` (docs/contract.md#7) */
  listTemplates(args?: ListTemplatesArguments, options?: CallOptions): Paged<ListTemplatesResponse, ListTemplatesRow>;
  /** Returns a template. `GET /vm/v1/instance-templates/details` (docs/contract.md#7) */
  getTemplate(args: GetTemplateArguments, options?: CallOptions): Promise<GetTemplateResponse>;
  /** Deletes a template; instances that were created from it stay. It destroys. `DELETE /vm/v1/instance-templates/delete` (docs/contract.md#7) */
  deleteTemplate(args: DeleteTemplateArguments, options?: CallOptions): Promise<DeleteTemplateResponse>;
}

/** Arguments of `createVolume`. */
export interface CreateVolumeArguments {
  /** ID of the VPC of the volume, which is sent as the tenant. */
  readonly vpcId: string;
  /** Name of the volume. */
  readonly name: string;
  /** Free-text description of the volume. */
  readonly description?: string | undefined;
  /** Size of the volume in GB. At least 1. */
  readonly size: number;
  /** Storage type of the volume, which `listVolumeTypes` lists. Known values: `standard`, `ssd`, `HNSS`, `HNSS_Encrypted`. */
  readonly volumeType: string;
  /** Availability zone of the volume. Default: `"nova"`. */
  readonly availabilityZone?: string | undefined;
  /** If true, several instances can attach the volume at the same time. Default: `false`. */
  readonly multiattach?: boolean | undefined;
  /** Labels of the volume, as keys and values. */
  readonly metadata?: { readonly [name: string]: string } | undefined;
  /** Performance limits of the volume. */
  readonly qos?: {
    /** Limits of the throughput. */
    readonly bandwidth?: {
      /** Maximum read throughput in bytes per second. At least 0. */
      readonly readBytesSec?: number | undefined;
      /** Maximum write throughput in bytes per second. At least 0. */
      readonly writeBytesSec?: number | undefined;
    } | undefined;
    /** Limits of the I/O operations. */
    readonly iops?: {
      /** Maximum number of read operations per second. At least 0. */
      readonly readIopsSec?: number | undefined;
      /** Maximum number of write operations per second. At least 0. */
      readonly writeIopsSec?: number | undefined;
    } | undefined;
  } | undefined;
  /** Source of the initial content. Default: the volume is created empty. */
  readonly source?: {
    /** ID of the image, volume or snapshot to copy. */
    readonly id: string;
    /** Kind of the source. */
    readonly type: "image" | "volume" | "snapshot";
  } | undefined;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `createVolume`, in the names of the API. */
export type CreateVolumeResponse = {
  readonly id?: string | null | undefined;
  readonly volume?: {
    readonly id?: string | null | undefined;
    readonly [field: string]: unknown;
  } | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `getVolume`. */
export interface GetVolumeArguments {
  /** ID of the VPC of the volume, which is sent as the tenant. */
  readonly vpcId: string;
  /** ID of the volume. */
  readonly volumeId: string;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `getVolume`, in the names of the API. */
export type GetVolumeResponse = {
  readonly id?: string | null | undefined;
  readonly krn?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly Name?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly size?: number | string | null | undefined;
  readonly Size?: number | string | null | undefined;
  readonly status?: string | null | undefined;
  readonly state?: string | null | undefined;
  readonly last_action_status?: string | null | undefined;
  readonly last_action_log?: string | null | undefined;
  readonly volumetype?: string | null | undefined;
  readonly volume_type?: string | null | undefined;
  readonly availability_zone?: string | null | undefined;
  readonly multiattach?: boolean | null | undefined;
  readonly multi_attached_enabled?: boolean | null | undefined;
  readonly metadata?: { readonly [name: string]: string } | null | undefined;
  readonly qos?: {
    readonly bandwidth?: {
      readonly read_bytes_sec?: number | null | undefined;
      readonly write_bytes_sec?: number | null | undefined;
      readonly [field: string]: unknown;
    } | null | undefined;
    readonly iops?: {
      readonly read_iops_sec?: number | null | undefined;
      readonly write_iops_sec?: number | null | undefined;
      readonly [field: string]: unknown;
    } | null | undefined;
    readonly [field: string]: unknown;
  } | null | undefined;
  readonly source?: {
    readonly id: string;
    readonly type: string;
    readonly [field: string]: unknown;
  } | null | undefined;
  readonly source_id?: string | null | undefined;
  readonly created_at?: string | null | undefined;
  readonly source_type?: string | null | undefined;
  readonly attachments?: readonly {
    readonly instance_id?: string | null | undefined;
    readonly instance_name?: string | null | undefined;
    readonly device?: string | null | undefined;
    readonly remote_attachment_id?: string | null | undefined;
    readonly [field: string]: unknown;
  }[] | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `listVolumes`. */
export interface ListVolumesArguments {
  /** ID of the VPC of the volume, which is sent as the tenant. */
  readonly vpcId: string;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `listVolumes`, in the names of the API. */
export type ListVolumesResponse = readonly {
  readonly id?: string | null | undefined;
  readonly krn?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly Name?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly size?: number | string | null | undefined;
  readonly Size?: number | string | null | undefined;
  readonly status?: string | null | undefined;
  readonly state?: string | null | undefined;
  readonly last_action_status?: string | null | undefined;
  readonly last_action_log?: string | null | undefined;
  readonly volumetype?: string | null | undefined;
  readonly volume_type?: string | null | undefined;
  readonly availability_zone?: string | null | undefined;
  readonly multiattach?: boolean | null | undefined;
  readonly multi_attached_enabled?: boolean | null | undefined;
  readonly metadata?: { readonly [name: string]: string } | null | undefined;
  readonly qos?: {
    readonly bandwidth?: {
      readonly read_bytes_sec?: number | null | undefined;
      readonly write_bytes_sec?: number | null | undefined;
      readonly [field: string]: unknown;
    } | null | undefined;
    readonly iops?: {
      readonly read_iops_sec?: number | null | undefined;
      readonly write_iops_sec?: number | null | undefined;
      readonly [field: string]: unknown;
    } | null | undefined;
    readonly [field: string]: unknown;
  } | null | undefined;
  readonly source?: {
    readonly id: string;
    readonly type: string;
    readonly [field: string]: unknown;
  } | null | undefined;
  readonly source_id?: string | null | undefined;
  readonly created_at?: string | null | undefined;
  readonly source_type?: string | null | undefined;
  readonly attachments?: readonly {
    readonly instance_id?: string | null | undefined;
    readonly instance_name?: string | null | undefined;
    readonly device?: string | null | undefined;
    readonly remote_attachment_id?: string | null | undefined;
    readonly [field: string]: unknown;
  }[] | null | undefined;
  readonly [field: string]: unknown;
}[];

/** Row of `listVolumes`. */
export type ListVolumesRow = {
  readonly id?: string | null | undefined;
  readonly krn?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly Name?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly size?: number | string | null | undefined;
  readonly Size?: number | string | null | undefined;
  readonly status?: string | null | undefined;
  readonly state?: string | null | undefined;
  readonly last_action_status?: string | null | undefined;
  readonly last_action_log?: string | null | undefined;
  readonly volumetype?: string | null | undefined;
  readonly volume_type?: string | null | undefined;
  readonly availability_zone?: string | null | undefined;
  readonly multiattach?: boolean | null | undefined;
  readonly multi_attached_enabled?: boolean | null | undefined;
  readonly metadata?: { readonly [name: string]: string } | null | undefined;
  readonly qos?: {
    readonly bandwidth?: {
      readonly read_bytes_sec?: number | null | undefined;
      readonly write_bytes_sec?: number | null | undefined;
      readonly [field: string]: unknown;
    } | null | undefined;
    readonly iops?: {
      readonly read_iops_sec?: number | null | undefined;
      readonly write_iops_sec?: number | null | undefined;
      readonly [field: string]: unknown;
    } | null | undefined;
    readonly [field: string]: unknown;
  } | null | undefined;
  readonly source?: {
    readonly id: string;
    readonly type: string;
    readonly [field: string]: unknown;
  } | null | undefined;
  readonly source_id?: string | null | undefined;
  readonly created_at?: string | null | undefined;
  readonly source_type?: string | null | undefined;
  readonly attachments?: readonly {
    readonly instance_id?: string | null | undefined;
    readonly instance_name?: string | null | undefined;
    readonly device?: string | null | undefined;
    readonly remote_attachment_id?: string | null | undefined;
    readonly [field: string]: unknown;
  }[] | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `deleteVolume`. */
export interface DeleteVolumeArguments {
  /** ID of the VPC of the volume, which is sent as the tenant. */
  readonly vpcId: string;
  /** ID of the volume. */
  readonly volumeId: string;
  /** If true, a volume whose creation failed is deleted too. Default: `false`. */
  readonly force?: boolean | undefined;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Arguments of `attachVolume`. */
export interface AttachVolumeArguments {
  /** ID of the VPC of the volume, which is sent as the tenant. */
  readonly vpcId: string;
  /** ID of the volume. */
  readonly volumeId: string;
  /** ID of the instance. */
  readonly instanceId: string;
  /** Device name of the volume in the instance. Default: `"/dev/vdz"`. */
  readonly mountPartition?: string | undefined;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `attachVolume`, in the names of the API. */
export type AttachVolumeResponse = {
  readonly attachments?: readonly {
    readonly instance_id?: string | null | undefined;
    readonly instance_name?: string | null | undefined;
    readonly device?: string | null | undefined;
    readonly remote_attachment_id?: string | null | undefined;
    readonly [field: string]: unknown;
  }[] | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `detachVolume`. */
export interface DetachVolumeArguments {
  /** ID of the VPC of the volume, which is sent as the tenant. */
  readonly vpcId: string;
  /** ID of the volume. */
  readonly volumeId: string;
  /** ID of the instance. */
  readonly instanceId: string;
  /** ID of the attachment: `remote_attachment_id` of the volume. */
  readonly attachmentId: string;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `detachVolume`, in the names of the API. */
export type DetachVolumeResponse = {
  readonly message?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `extendVolume`. */
export interface ExtendVolumeArguments {
  /** ID of the VPC of the volume, which is sent as the tenant. */
  readonly vpcId: string;
  /** ID of the volume. */
  readonly volumeId: string;
  /** New size of the volume in GB. At least 1. */
  readonly newSize: number;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `extendVolume`, in the names of the API. */
export type ExtendVolumeResponse = {
  readonly message?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `updateVolume`. */
export interface UpdateVolumeArguments {
  /** ID of the VPC of the volume, which is sent as the tenant. */
  readonly vpcId: string;
  /** ID of the volume. */
  readonly volumeId: string;
  /** Name of the volume. */
  readonly name: string;
  /** Free-text description of the volume; empty for none. */
  readonly description: string;
  /** All labels of the volume, as keys and values. */
  readonly metadata: { readonly [name: string]: string };
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `updateVolume`, in the names of the API. */
export type UpdateVolumeResponse = {
  readonly message?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `changeVolumeType`. */
export interface ChangeVolumeTypeArguments {
  /** ID of the VPC of the volume, which is sent as the tenant. */
  readonly vpcId: string;
  /** ID of the volume. */
  readonly volumeId: string;
  /** New storage type of the volume. */
  readonly volumeType: string;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `changeVolumeType`, in the names of the API. */
export type ChangeVolumeTypeResponse = {
  readonly message?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `listVolumeTypes`. */
export interface ListVolumeTypesArguments {
  /** ID of the VPC of the volume, which is sent as the tenant. */
  readonly vpcId: string;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `listVolumeTypes`, in the names of the API. */
export type ListVolumeTypesResponse = readonly unknown[] | { readonly [name: string]: unknown };

/** Arguments of `createSnapshot`. */
export interface CreateSnapshotArguments {
  /** ID of the VPC of the volume, which is sent as the tenant. */
  readonly vpcId: string;
  /** ID of the volume. */
  readonly volumeId: string;
  /** Name of the copy. */
  readonly name: string;
  /** Free-text description of the copy. */
  readonly description?: string | undefined;
  /** If true, an attached volume is copied too. Default: `false`. */
  readonly force?: boolean | undefined;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `createSnapshot`, in the names of the API. */
export type CreateSnapshotResponse = {
  readonly id?: string | null | undefined;
  readonly snapshot?: {
    readonly id?: string | null | undefined;
    readonly [field: string]: unknown;
  } | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `listSnapshots`. */
export interface ListSnapshotsArguments {
  /** ID of the VPC of the volume, which is sent as the tenant. */
  readonly vpcId: string;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `listSnapshots`, in the names of the API. */
export type ListSnapshotsResponse = readonly {
  readonly id?: string | null | undefined;
  readonly krn?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly volume_id?: string | null | undefined;
  readonly size?: number | string | null | undefined;
  readonly volume_type?: string | null | undefined;
  readonly status?: string | null | undefined;
  readonly created_at?: string | null | undefined;
  readonly updated_at?: string | null | undefined;
  readonly [field: string]: unknown;
}[];

/** Row of `listSnapshots`. */
export type ListSnapshotsRow = {
  readonly id?: string | null | undefined;
  readonly krn?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly volume_id?: string | null | undefined;
  readonly size?: number | string | null | undefined;
  readonly volume_type?: string | null | undefined;
  readonly status?: string | null | undefined;
  readonly created_at?: string | null | undefined;
  readonly updated_at?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `getSnapshot`. */
export interface GetSnapshotArguments {
  /** ID of the VPC of the volume, which is sent as the tenant. */
  readonly vpcId: string;
  /** ID of the snapshot. */
  readonly snapshotId: string;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `getSnapshot`, in the names of the API. */
export type GetSnapshotResponse = {
  readonly id?: string | null | undefined;
  readonly krn?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly volume_id?: string | null | undefined;
  readonly size?: number | string | null | undefined;
  readonly volume_type?: string | null | undefined;
  readonly status?: string | null | undefined;
  readonly created_at?: string | null | undefined;
  readonly updated_at?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `deleteSnapshot`. */
export interface DeleteSnapshotArguments {
  /** ID of the VPC of the volume, which is sent as the tenant. */
  readonly vpcId: string;
  /** ID of the snapshot. */
  readonly snapshotId: string;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Arguments of `updateSnapshot`. */
export interface UpdateSnapshotArguments {
  /** ID of the VPC of the volume, which is sent as the tenant. */
  readonly vpcId: string;
  /** ID of the snapshot. */
  readonly snapshotId: string;
  /** New name of the snapshot. */
  readonly name?: string | undefined;
  /** New description of the snapshot. */
  readonly description?: string | undefined;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `updateSnapshot`, in the names of the API. */
export type UpdateSnapshotResponse = {
  readonly id?: string | null | undefined;
  readonly krn?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly volume_id?: string | null | undefined;
  readonly size?: number | string | null | undefined;
  readonly volume_type?: string | null | undefined;
  readonly status?: string | null | undefined;
  readonly created_at?: string | null | undefined;
  readonly updated_at?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `createBackup`. */
export interface CreateBackupArguments {
  /** ID of the VPC of the volume, which is sent as the tenant. */
  readonly vpcId: string;
  /** ID of the volume. */
  readonly volumeId: string;
  /** Name of the copy. */
  readonly name: string;
  /** Free-text description of the copy. */
  readonly description?: string | undefined;
  /** If true, an attached volume is copied too. Default: `false`. */
  readonly force?: boolean | undefined;
  /** If true, the backup contains only the changes since the previous one. Default: `false`. */
  readonly incremental?: boolean | undefined;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `createBackup`, in the names of the API. */
export type CreateBackupResponse = {
  readonly id?: string | null | undefined;
  readonly backup?: {
    readonly id?: string | null | undefined;
    readonly [field: string]: unknown;
  } | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `listBackups`. */
export interface ListBackupsArguments {
  /** ID of the VPC of the volume, which is sent as the tenant. */
  readonly vpcId: string;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `listBackups`, in the names of the API. */
export type ListBackupsResponse = readonly {
  readonly id?: string | null | undefined;
  readonly krn?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly volume_id?: string | null | undefined;
  readonly size?: number | string | null | undefined;
  readonly volume_type?: string | null | undefined;
  readonly status?: string | null | undefined;
  readonly created_at?: string | null | undefined;
  readonly updated_at?: string | null | undefined;
  readonly [field: string]: unknown;
}[];

/** Row of `listBackups`. */
export type ListBackupsRow = {
  readonly id?: string | null | undefined;
  readonly krn?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly volume_id?: string | null | undefined;
  readonly size?: number | string | null | undefined;
  readonly volume_type?: string | null | undefined;
  readonly status?: string | null | undefined;
  readonly created_at?: string | null | undefined;
  readonly updated_at?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `getBackup`. */
export interface GetBackupArguments {
  /** ID of the VPC of the volume, which is sent as the tenant. */
  readonly vpcId: string;
  /** ID of the backup. */
  readonly backupId: string;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `getBackup`, in the names of the API. */
export type GetBackupResponse = {
  readonly id?: string | null | undefined;
  readonly krn?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly volume_id?: string | null | undefined;
  readonly size?: number | string | null | undefined;
  readonly volume_type?: string | null | undefined;
  readonly status?: string | null | undefined;
  readonly created_at?: string | null | undefined;
  readonly updated_at?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `deleteBackup`. */
export interface DeleteBackupArguments {
  /** ID of the VPC of the volume, which is sent as the tenant. */
  readonly vpcId: string;
  /** ID of the backup. */
  readonly backupId: string;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Arguments of `restoreBackup`. */
export type RestoreBackupArguments = {
  /** ID of the VPC of the volume, which is sent as the tenant. */
  readonly vpcId: string;
  /** ID of the backup. */
  readonly backupId: string;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
} & (
  | {
      /** Name of the new volume. */
      readonly name: string;
      readonly volumeId?: undefined;
    }
  | {
      /** ID of the volume whose content is replaced. */
      readonly volumeId: string;
      readonly name?: undefined;
    }
);

/** Response to `restoreBackup`, in the names of the API. */
export type RestoreBackupResponse = {
  readonly volume_id?: string | null | undefined;
  readonly message?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `createSnapshotPolicy`. */
export interface CreateSnapshotPolicyArguments {
  /** ID of the VPC of the volume, which is sent as the tenant. */
  readonly vpcId: string;
  /** ID of the volume. */
  readonly volumeId: string;
  /** Name of the policy. */
  readonly name: string;
  /** Schedule of the copies as a cron expression, such as `0 3 * * *`. */
  readonly cron: string;
  /** Maximum number of snapshots. At least 1. */
  readonly maxSnapshotsAllowed: number;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `createSnapshotPolicy`, in the names of the API. */
export type CreateSnapshotPolicyResponse = {
  readonly message?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `deleteSnapshotPolicy`. */
export interface DeleteSnapshotPolicyArguments {
  /** ID of the VPC of the volume, which is sent as the tenant. */
  readonly vpcId: string;
  /** ID of the volume. */
  readonly volumeId: string;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Arguments of `createBackupPolicy`. */
export interface CreateBackupPolicyArguments {
  /** ID of the VPC of the volume, which is sent as the tenant. */
  readonly vpcId: string;
  /** ID of the volume. */
  readonly volumeId: string;
  /** Name of the policy. */
  readonly name: string;
  /** Schedule of the copies as a cron expression, such as `0 3 * * *`. */
  readonly cron: string;
  /** Maximum number of backups. At least 1. */
  readonly maxBackupsAllowed: number;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `createBackupPolicy`, in the names of the API. */
export type CreateBackupPolicyResponse = {
  readonly message?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `deleteBackupPolicy`. */
export interface DeleteBackupPolicyArguments {
  /** ID of the VPC of the volume, which is sent as the tenant. */
  readonly vpcId: string;
  /** ID of the volume. */
  readonly volumeId: string;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Operations of the area `volume`. */
export interface VolumeOperations extends VolumeWaiters {
  /** Starts the creation of a volume of a VPC. `POST /kbs/v1/volumes` (docs/contract.md#8) */
  createVolume(args: CreateVolumeArguments, options?: CallOptions): Promise<CreateVolumeResponse>;
  /** Returns a volume. `GET /kbs/v1/volumes/{volume}` (docs/contract.md#8) */
  getVolume(args: GetVolumeArguments, options?: CallOptions): Promise<GetVolumeResponse>;
  /** Lists all volumes of a VPC. With `for await`, returns the rows of all pages. `GET /kbs/v1/volumes` (docs/contract.md#8) */
  listVolumes(args: ListVolumesArguments, options?: CallOptions): Paged<ListVolumesResponse, ListVolumesRow>;
  /** Starts the deletion of a volume, which ends when the volume is no longer found. It destroys. `DELETE /kbs/v1/volumes/{volume}` (docs/contract.md#8) */
  deleteVolume(args: DeleteVolumeArguments, options?: CallOptions): Promise<void>;
  /** Attaches a volume to an instance. `POST /kbs/v1/volumes/{volume}/action` (docs/contract.md#8) */
  attachVolume(args: AttachVolumeArguments, options?: CallOptions): Promise<AttachVolumeResponse>;
  /** Detaches a volume from an instance. `POST /kbs/v1/volumes/{volume}/action` (docs/contract.md#8) */
  detachVolume(args: DetachVolumeArguments, options?: CallOptions): Promise<DetachVolumeResponse>;
  /** Starts the extension of a volume, which cannot be made smaller. `POST /kbs/v1/volumes/{volume}/action` (docs/contract.md#8) */
  extendVolume(args: ExtendVolumeArguments, options?: CallOptions): Promise<ExtendVolumeResponse>;
  /** Replaces name, description and all labels of a volume. `PUT /kbs/v1/volumes/{volume}` (docs/contract.md#8) */
  updateVolume(args: UpdateVolumeArguments, options?: CallOptions): Promise<UpdateVolumeResponse>;
  /** Starts the change of the storage type of a volume. `PUT /kbs/v1/volumes/{volume}/change_type` (docs/contract.md#8) */
  changeVolumeType(args: ChangeVolumeTypeArguments, options?: CallOptions): Promise<ChangeVolumeTypeResponse>;
  /** Lists the storage types of a VPC, as names or as objects. `GET /kbs/v1/volumes/types` (docs/contract.md#8) */
  listVolumeTypes(args: ListVolumeTypesArguments, options?: CallOptions): Promise<ListVolumeTypesResponse>;
  /** Starts the creation of a snapshot of a volume, which cannot be deleted before its snapshots. `POST /kbs/v1/snapshots` (docs/contract.md#8) */
  createSnapshot(args: CreateSnapshotArguments, options?: CallOptions): Promise<CreateSnapshotResponse>;
  /** Lists the snapshots of the volumes of a VPC. With `for await`, returns the rows of all pages. `GET /kbs/v1/snapshots` (docs/contract.md#8) */
  listSnapshots(args: ListSnapshotsArguments, options?: CallOptions): Paged<ListSnapshotsResponse, ListSnapshotsRow>;
  /** Returns a snapshot. `GET /kbs/v1/snapshots/{snapshot}` (docs/contract.md#8) */
  getSnapshot(args: GetSnapshotArguments, options?: CallOptions): Promise<GetSnapshotResponse>;
  /** Starts the deletion of a snapshot. It destroys. `DELETE /kbs/v1/snapshots/{snapshot}` (docs/contract.md#8) */
  deleteSnapshot(args: DeleteSnapshotArguments, options?: CallOptions): Promise<void>;
  /** Changes name and description of a snapshot. `PUT /kbs/v1/snapshots/{snapshot}` (docs/contract.md#8) */
  updateSnapshot(args: UpdateSnapshotArguments, options?: CallOptions): Promise<UpdateSnapshotResponse>;
  /** Starts the creation of a backup of a volume, which stays when the volume is deleted. `POST /kbs/v1/backups` (docs/contract.md#8) */
  createBackup(args: CreateBackupArguments, options?: CallOptions): Promise<CreateBackupResponse>;
  /** Lists the backups of the volumes of a VPC. With `for await`, returns the rows of all pages. `GET /kbs/v1/backups` (docs/contract.md#8) */
  listBackups(args: ListBackupsArguments, options?: CallOptions): Paged<ListBackupsResponse, ListBackupsRow>;
  /** Returns a backup. `GET /kbs/v1/backups/{backup}` (docs/contract.md#8) */
  getBackup(args: GetBackupArguments, options?: CallOptions): Promise<GetBackupResponse>;
  /** Starts the deletion of a backup. It destroys. `DELETE /kbs/v1/backups/{backup}` (docs/contract.md#8) */
  deleteBackup(args: DeleteBackupArguments, options?: CallOptions): Promise<void>;
  /** Starts a restore of a backup to a new volume or, with `volumeId`, over the content of an existing one. `POST /kbs/v1/backups/{backup}/restore` (docs/contract.md#8) */
  restoreBackup(args: RestoreBackupArguments, options?: CallOptions): Promise<RestoreBackupResponse>;
  /** Sets the schedule of the snapshots of a volume. `POST /kbs/v1/volumes/{volume}/snapshots/policy` (docs/contract.md#8) */
  createSnapshotPolicy(args: CreateSnapshotPolicyArguments, options?: CallOptions): Promise<CreateSnapshotPolicyResponse>;
  /** Removes the schedule of the snapshots of a volume. It destroys. `DELETE /kbs/v1/volumes/{volume}/snapshots/policy` (docs/contract.md#8) */
  deleteSnapshotPolicy(args: DeleteSnapshotPolicyArguments, options?: CallOptions): Promise<void>;
  /** Sets the schedule of the backups of a volume. `POST /kbs/v1/volumes/{volume}/backups/policy` (docs/contract.md#8) */
  createBackupPolicy(args: CreateBackupPolicyArguments, options?: CallOptions): Promise<CreateBackupPolicyResponse>;
  /** Removes the schedule of the backups of a volume. It destroys. `DELETE /kbs/v1/volumes/{volume}/backups/policy` (docs/contract.md#8) */
  deleteBackupPolicy(args: DeleteBackupPolicyArguments, options?: CallOptions): Promise<void>;
}

/** Arguments of `listBuckets`. */
export interface ListBucketsArguments {
  /** Number of the page, beginning with 1. At least 1. */
  readonly page?: number | undefined;
  /** Number of rows of a page. At least 1. */
  readonly pageSize?: number | undefined;
  /** Part of the name. */
  readonly nameFilter?: string | undefined;
  /** If true, the list shows recent changes. Default: `false`. */
  readonly refresh?: boolean | undefined;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `listBuckets`, in the names of the API. */
export type ListBucketsResponse = readonly {
  readonly krnid?: string | null | undefined;
  readonly krn?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly region?: string | null | undefined;
  readonly url?: string | null | undefined;
  readonly versioning?: boolean | null | undefined;
  readonly anonymous_access?: boolean | null | undefined;
  readonly tags?: { readonly [name: string]: string } | null | undefined;
  readonly tier?: string | null | undefined;
  readonly owner?: string | null | undefined;
  readonly createdAt?: string | null | undefined;
  readonly [field: string]: unknown;
}[] | {
  readonly items: readonly {
    readonly krnid?: string | null | undefined;
    readonly krn?: string | null | undefined;
    readonly name?: string | null | undefined;
    readonly region?: string | null | undefined;
    readonly url?: string | null | undefined;
    readonly versioning?: boolean | null | undefined;
    readonly anonymous_access?: boolean | null | undefined;
    readonly tags?: { readonly [name: string]: string } | null | undefined;
    readonly tier?: string | null | undefined;
    readonly owner?: string | null | undefined;
    readonly createdAt?: string | null | undefined;
    readonly [field: string]: unknown;
  }[] | null;
  readonly totalItems?: number | null | undefined;
  readonly totalPages?: number | null | undefined;
  readonly currentPage?: number | null | undefined;
  readonly [field: string]: unknown;
};

/** Row of `listBuckets`. */
export type ListBucketsRow = {
  readonly krnid?: string | null | undefined;
  readonly krn?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly region?: string | null | undefined;
  readonly url?: string | null | undefined;
  readonly versioning?: boolean | null | undefined;
  readonly anonymous_access?: boolean | null | undefined;
  readonly tags?: { readonly [name: string]: string } | null | undefined;
  readonly tier?: string | null | undefined;
  readonly owner?: string | null | undefined;
  readonly createdAt?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `createBucket`. */
export interface CreateBucketArguments {
  /** Name of the bucket, which no other bucket has. */
  readonly name: string;
  /** Free-text description of the bucket, which no read returns. */
  readonly description?: string | undefined;
  /** Tags of the bucket. Default: `{}`. */
  readonly tags?: { readonly [name: string]: string } | undefined;
  /** If true, the bucket keeps former versions of its objects. Default: `false`. */
  readonly versioning?: boolean | undefined;
  /** If true, everybody can read the bucket. Default: `false`. */
  readonly anonymousAccess?: boolean | undefined;
  /** Storage tier, such as `tier-1`. Default: the tier of the region. */
  readonly tier?: string | undefined;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `createBucket`, in the names of the API. */
export type CreateBucketResponse = {
  readonly krn?: string | null | undefined;
  readonly bucketName?: string | null | undefined;
  readonly createdAt?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `getBucket`. */
export interface GetBucketArguments {
  /** ID of the bucket. */
  readonly bucketId: string;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `getBucket`, in the names of the API. */
export type GetBucketResponse = {
  readonly krnid?: string | null | undefined;
  readonly krn?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly region?: string | null | undefined;
  readonly url?: string | null | undefined;
  readonly versioning?: boolean | null | undefined;
  readonly anonymous_access?: boolean | null | undefined;
  readonly tags?: { readonly [name: string]: string } | null | undefined;
  readonly tier?: string | null | undefined;
  readonly owner?: string | null | undefined;
  readonly createdAt?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `updateBucket`. */
export interface UpdateBucketArguments {
  /** ID of the bucket. */
  readonly bucketId: string;
  /** All tags of the bucket. */
  readonly tags: { readonly [name: string]: string };
  /** If true, the bucket keeps former versions of its objects. */
  readonly versioning: boolean;
  /** If true, everybody can read the bucket. */
  readonly anonymousAccess: boolean;
  /** Storage tier, such as `tier-1`. Default: the tier of the region. */
  readonly tier?: string | undefined;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `updateBucket`, in the names of the API. */
export type UpdateBucketResponse = {
  readonly name?: string | null | undefined;
  readonly krnid?: string | null | undefined;
  readonly versioning?: boolean | null | undefined;
  readonly anonymous_access?: boolean | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `deleteBucket`. */
export interface DeleteBucketArguments {
  /** ID of the bucket. */
  readonly bucketId: string;
  /** One-time password. Default: a password of the settings of the client, as of `otpCommand`. */
  readonly otp?: string | undefined;
  /** Storage tier, such as `tier-1`. Default: the tier of the region. */
  readonly tier?: string | undefined;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Arguments of `listLifecycleRules`. */
export interface ListLifecycleRulesArguments {
  /** ID of the bucket. */
  readonly bucketId: string;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `listLifecycleRules`, in the names of the API. */
export type ListLifecycleRulesResponse = readonly {
  readonly id?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly attribute?: string | null | undefined;
  readonly enabled?: boolean | null | undefined;
  readonly expiration_days?: number | null | undefined;
  readonly noncurrent_days?: number | null | undefined;
  readonly newer_noncurrent_versions?: number | null | undefined;
  readonly delete_incomplete_mpu?: number | null | undefined;
  readonly expired_obj_delete_marker?: boolean | null | undefined;
  readonly status?: string | null | undefined;
  readonly [field: string]: unknown;
}[];

/** Row of `listLifecycleRules`. */
export type ListLifecycleRulesRow = {
  readonly id?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly attribute?: string | null | undefined;
  readonly enabled?: boolean | null | undefined;
  readonly expiration_days?: number | null | undefined;
  readonly noncurrent_days?: number | null | undefined;
  readonly newer_noncurrent_versions?: number | null | undefined;
  readonly delete_incomplete_mpu?: number | null | undefined;
  readonly expired_obj_delete_marker?: boolean | null | undefined;
  readonly status?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `createLifecycleRule`. */
export interface CreateLifecycleRuleArguments {
  /** ID of the bucket. */
  readonly bucketId: string;
  /** Name of the rule. */
  readonly name: string;
  /** Attribute from which the age of an object is calculated. */
  readonly attribute?: string | undefined;
  /** If true, the rule is applied. Default: `true`. */
  readonly enabled?: boolean | undefined;
  /** Age in days after which objects are deleted. At least 0. */
  readonly expirationDays?: number | undefined;
  /** Age in days after which noncurrent versions are deleted. At least 0. */
  readonly noncurrentDays?: number | undefined;
  /** Number of noncurrent versions that are kept. At least 0. */
  readonly newerNoncurrentVersions?: number | undefined;
  /** Age in days after which incomplete uploads are deleted. At least 0. */
  readonly deleteIncompleteMpu?: number | undefined;
  /** If true, delete markers without versions are removed. Default: `false`. */
  readonly expiredObjDeleteMarker?: boolean | undefined;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `createLifecycleRule`, in the names of the API. */
export type CreateLifecycleRuleResponse = {
  readonly id?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly attribute?: string | null | undefined;
  readonly enabled?: boolean | null | undefined;
  readonly expiration_days?: number | null | undefined;
  readonly noncurrent_days?: number | null | undefined;
  readonly newer_noncurrent_versions?: number | null | undefined;
  readonly delete_incomplete_mpu?: number | null | undefined;
  readonly expired_obj_delete_marker?: boolean | null | undefined;
  readonly status?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `getLifecycleRule`. */
export interface GetLifecycleRuleArguments {
  /** ID of the bucket. */
  readonly bucketId: string;
  /** ID of the rule. */
  readonly ruleId: string;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `getLifecycleRule`, in the names of the API. */
export type GetLifecycleRuleResponse = {
  readonly id?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly attribute?: string | null | undefined;
  readonly enabled?: boolean | null | undefined;
  readonly expiration_days?: number | null | undefined;
  readonly noncurrent_days?: number | null | undefined;
  readonly newer_noncurrent_versions?: number | null | undefined;
  readonly delete_incomplete_mpu?: number | null | undefined;
  readonly expired_obj_delete_marker?: boolean | null | undefined;
  readonly status?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `updateLifecycleRule`. */
export interface UpdateLifecycleRuleArguments {
  /** ID of the bucket. */
  readonly bucketId: string;
  /** ID of the rule. */
  readonly ruleId: string;
  /** Name of the rule. */
  readonly name: string;
  /** Attribute from which the age of an object is calculated. */
  readonly attribute?: string | undefined;
  /** If true, the rule is applied. Default: `true`. */
  readonly enabled?: boolean | undefined;
  /** Age in days after which objects are deleted. At least 0. */
  readonly expirationDays?: number | undefined;
  /** Age in days after which noncurrent versions are deleted. At least 0. */
  readonly noncurrentDays?: number | undefined;
  /** Number of noncurrent versions that are kept. At least 0. */
  readonly newerNoncurrentVersions?: number | undefined;
  /** Age in days after which incomplete uploads are deleted. At least 0. */
  readonly deleteIncompleteMpu?: number | undefined;
  /** If true, delete markers without versions are removed. Default: `false`. */
  readonly expiredObjDeleteMarker?: boolean | undefined;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `updateLifecycleRule`, in the names of the API. */
export type UpdateLifecycleRuleResponse = {
  readonly id?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly attribute?: string | null | undefined;
  readonly enabled?: boolean | null | undefined;
  readonly expiration_days?: number | null | undefined;
  readonly noncurrent_days?: number | null | undefined;
  readonly newer_noncurrent_versions?: number | null | undefined;
  readonly delete_incomplete_mpu?: number | null | undefined;
  readonly expired_obj_delete_marker?: boolean | null | undefined;
  readonly status?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `deleteLifecycleRule`. */
export interface DeleteLifecycleRuleArguments {
  /** ID of the bucket. */
  readonly bucketId: string;
  /** ID of the rule. */
  readonly ruleId: string;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Arguments of `getBucketPolicy`. */
export interface GetBucketPolicyArguments {
  /** ID of the bucket. */
  readonly bucketId: string;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `getBucketPolicy`, in the names of the API. */
export type GetBucketPolicyResponse = {
  readonly bucketPolicyKrn?: string | null | undefined;
  readonly s3_read_write_ips?: readonly string[] | null | undefined;
  readonly s3_read_only_ips?: readonly string[] | null | undefined;
  readonly bucketKrn?: string | null | undefined;
  readonly created_at?: string | null | undefined;
  readonly updated_at?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `createBucketPolicy`. */
export interface CreateBucketPolicyArguments {
  /** ID of the bucket. */
  readonly bucketId: string;
  /** IP addresses or ranges that may read and write. Default: `[]`. */
  readonly readWriteIps?: readonly string[] | undefined;
  /** IP addresses or ranges that may read. Default: `[]`. */
  readonly readOnlyIps?: readonly string[] | undefined;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `createBucketPolicy`, in the names of the API. */
export type CreateBucketPolicyResponse = {
  readonly bucketKrn?: string | null | undefined;
  readonly bucketPolicyKrn?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `updateBucketPolicy`. */
export interface UpdateBucketPolicyArguments {
  /** ID of the bucket. */
  readonly bucketId: string;
  /** All IP addresses or ranges that may read and write. */
  readonly readWriteIps: readonly string[];
  /** All IP addresses or ranges that may read. */
  readonly readOnlyIps: readonly string[];
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Arguments of `deleteBucketPolicy`. */
export interface DeleteBucketPolicyArguments {
  /** ID of the bucket. */
  readonly bucketId: string;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Operations of the area `bucket`. */
export interface BucketOperations {
  /** Lists the buckets of the account in all regions, in pages. With `for await`, returns the rows of all pages. `GET /kos/v1/buckets` (docs/contract.md#9.1) */
  listBuckets(args?: ListBucketsArguments, options?: CallOptions): Paged<ListBucketsResponse, ListBucketsRow>;
  /** Creates a bucket. `POST /kos/v1/buckets` (docs/contract.md#9.1) */
  createBucket(args: CreateBucketArguments, options?: CallOptions): Promise<CreateBucketResponse>;
  /** Returns a bucket. `GET /kos/v1/buckets/{bucket}` (docs/contract.md#9.1) */
  getBucket(args: GetBucketArguments, options?: CallOptions): Promise<GetBucketResponse>;
  /** Replaces tags, versioning and public access of a bucket. `PUT /kos/v1/buckets/{bucket}` (docs/contract.md#9.1) */
  updateBucket(args: UpdateBucketArguments, options?: CallOptions): Promise<UpdateBucketResponse>;
  /** Deletes an empty bucket, with a one-time password. It destroys. `DELETE /kos/v1/buckets/{bucket}` (docs/contract.md#9.1) */
  deleteBucket(args: DeleteBucketArguments, options?: CallOptions): Promise<void>;
  /** Lists the lifecycle rules of a bucket. With `for await`, returns the rows of all pages. `GET /kos/v1/buckets/{bucket}/lifecycle-rules` (docs/contract.md#9.3) */
  listLifecycleRules(args: ListLifecycleRulesArguments, options?: CallOptions): Paged<ListLifecycleRulesResponse, ListLifecycleRulesRow>;
  /** Creates a lifecycle rule of a bucket, which can delete objects. `POST /kos/v1/buckets/{bucket}/lifecycle-rules` (docs/contract.md#9.3) */
  createLifecycleRule(args: CreateLifecycleRuleArguments, options?: CallOptions): Promise<CreateLifecycleRuleResponse>;
  /** Returns a lifecycle rule. `GET /kos/v1/buckets/{bucket}/lifecycle-rules/{rule}` (docs/contract.md#9.3) */
  getLifecycleRule(args: GetLifecycleRuleArguments, options?: CallOptions): Promise<GetLifecycleRuleResponse>;
  /** Replaces a lifecycle rule. `PUT /kos/v1/buckets/{bucket}/lifecycle-rules/{rule}` (docs/contract.md#9.3) */
  updateLifecycleRule(args: UpdateLifecycleRuleArguments, options?: CallOptions): Promise<UpdateLifecycleRuleResponse>;
  /** Deletes a lifecycle rule. It destroys. `DELETE /kos/v1/buckets/{bucket}/lifecycle-rules/{rule}` (docs/contract.md#9.3) */
  deleteLifecycleRule(args: DeleteLifecycleRuleArguments, options?: CallOptions): Promise<void>;
  /** Returns the policy of a bucket. `GET /kos/v1/buckets/policy/{bucket}` (docs/contract.md#9.4) */
  getBucketPolicy(args: GetBucketPolicyArguments, options?: CallOptions): Promise<GetBucketPolicyResponse>;
  /** Creates the policy of a bucket: the hosts that have access. `POST /kos/v1/buckets/policy/{bucket}` (docs/contract.md#9.4) */
  createBucketPolicy(args: CreateBucketPolicyArguments, options?: CallOptions): Promise<CreateBucketPolicyResponse>;
  /** Replaces the policy of a bucket. `PUT /kos/v1/buckets/policy/{bucket}` (docs/contract.md#9.4) */
  updateBucketPolicy(args: UpdateBucketPolicyArguments, options?: CallOptions): Promise<void>;
  /** Deletes the policy of a bucket. It destroys. `DELETE /kos/v1/buckets/policy/{bucket}` (docs/contract.md#9.4) */
  deleteBucketPolicy(args: DeleteBucketPolicyArguments, options?: CallOptions): Promise<void>;
}

/** Arguments of `listAccessKeys`. */
export interface ListAccessKeysArguments {
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `listAccessKeys`, in the names of the API. */
export type ListAccessKeysResponse = readonly ({
  readonly access_key: string;
  readonly created_date?: string | null | undefined;
  readonly created_at?: string | null | undefined;
  readonly region?: string | null | undefined;
  readonly [field: string]: unknown;
} | {
  readonly access_key_id: string;
  readonly created_date?: string | null | undefined;
  readonly created_at?: string | null | undefined;
  readonly region?: string | null | undefined;
  readonly [field: string]: unknown;
})[];

/** Row of `listAccessKeys`. */
export type ListAccessKeysRow = {
  readonly access_key: string;
  readonly created_date?: string | null | undefined;
  readonly created_at?: string | null | undefined;
  readonly region?: string | null | undefined;
  readonly [field: string]: unknown;
} | {
  readonly access_key_id: string;
  readonly created_date?: string | null | undefined;
  readonly created_at?: string | null | undefined;
  readonly region?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `createAccessKey`. */
export interface CreateAccessKeyArguments {
  /** Name of the access key. */
  readonly keyName: string;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `createAccessKey`, in the names of the API. */
export type CreateAccessKeyResponse = {
  readonly access_key: string;
  readonly secret_key: string;
  readonly message?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `deleteAccessKey`. */
export interface DeleteAccessKeyArguments {
  /** Access key. */
  readonly accessKey: string;
  /** One-time password. Default: a password of the settings of the client, as of `otpCommand`. */
  readonly otp?: string | undefined;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Arguments of `deleteAllAccessKeys`. */
export interface DeleteAllAccessKeysArguments {
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Operations of the area `accessKey`. */
export interface AccessKeyOperations {
  /** Lists the access keys of the account, without their secrets. With `for await`, returns the rows of all pages. `GET /kos/v1/access_keys` (docs/contract.md#9.2) */
  listAccessKeys(args?: ListAccessKeysArguments, options?: CallOptions): Paged<ListAccessKeysResponse, ListAccessKeysRow>;
  /** Creates an access key and returns its secret, which no later response has. `POST /kos/v1/access_keys` (docs/contract.md#9.2) */
  createAccessKey(args: CreateAccessKeyArguments, options?: CallOptions): Promise<CreateAccessKeyResponse>;
  /** Deletes an access key, with a one-time password. It destroys. `DELETE /kos/v1/access_keys/{key}` (docs/contract.md#9.2) */
  deleteAccessKey(args: DeleteAccessKeyArguments, options?: CallOptions): Promise<void>;
  /** Deletes every access key of the account, including those of other users. It destroys. `DELETE /internal/kos/v1/access_keys_all` (docs/contract.md#9.2) */
  deleteAllAccessKeys(args?: DeleteAllAccessKeysArguments, options?: CallOptions): Promise<void>;
}

/** Arguments of `listAccountPolicies`. */
export interface ListAccountPoliciesArguments {
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `listAccountPolicies`, in the names of the API. */
export type ListAccountPoliciesResponse = readonly {
  readonly name: string;
  readonly policyKRN: string;
  readonly CreationDate?: string | undefined;
  readonly [field: string]: unknown;
}[] | {
  readonly name: string;
  readonly policyKRN: string;
  readonly CreationDate?: string | undefined;
  readonly [field: string]: unknown;
};

/** Row of `listAccountPolicies`. */
export type ListAccountPoliciesRow = {
  readonly name: string;
  readonly policyKRN: string;
  readonly CreationDate?: string | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `createAccountPolicy`. */
export interface CreateAccountPolicyArguments {
  /** Name of the policy. */
  readonly name: string;
  /** Statements of the policy as JSON. */
  readonly statements: string;
  /** Conditions of the policy as JSON. Default: `""`. */
  readonly conditions?: string | undefined;
  /** Value of the field `_id`. Its form is not documented. */
  readonly policyId?: string | undefined;
  /** Number of the account. Default: `accountId` of the client. */
  readonly accountId?: string | undefined;
  /** ID of the policy. Its form is not documented. */
  readonly policyKrn?: string | undefined;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `createAccountPolicy`, in the names of the API. */
export type CreateAccountPolicyResponse = {
  readonly name: string;
  readonly policyKRN: string;
  readonly CreationDate?: string | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `getAccountPolicy`. */
export interface GetAccountPolicyArguments {
  /** ID of the policy. */
  readonly policyKrn: string;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `getAccountPolicy`, in the names of the API. */
export type GetAccountPolicyResponse = {
  readonly name: string;
  readonly policyKRN: string;
  readonly CreationDate?: string | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `updateAccountPolicy`. */
export interface UpdateAccountPolicyArguments {
  /** ID of the policy. */
  readonly policyKrn: string;
  /** Name of the policy. */
  readonly name: string;
  /** Statements of the policy as JSON. */
  readonly statements: string;
  /** Conditions of the policy as JSON. Default: `""`. */
  readonly conditions?: string | undefined;
  /** Value of the field `_id`. Its form is not documented. */
  readonly policyId?: string | undefined;
  /** Number of the account. Default: `accountId` of the client. */
  readonly accountId?: string | undefined;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `updateAccountPolicy`, in the names of the API. */
export type UpdateAccountPolicyResponse = {
  readonly name: string;
  readonly policyKRN: string;
  readonly CreationDate?: string | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `deleteAccountPolicy`. */
export interface DeleteAccountPolicyArguments {
  /** ID of the policy. */
  readonly policyKrn: string;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Arguments of `attachAccountPolicy`. */
export interface AttachAccountPolicyArguments {
  /** IDs of the policies. */
  readonly policyKrns: readonly string[];
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `attachAccountPolicy`, in the names of the API. */
export type AttachAccountPolicyResponse = {
  readonly name: string;
  readonly policyKRN: string;
  readonly CreationDate?: string | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `detachAccountPolicy`. */
export interface DetachAccountPolicyArguments {
  /** Value of the field `kcid`. Its form is not documented. */
  readonly kcid: string;
  /** IDs of the policies. */
  readonly policyKrns: readonly string[];
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `detachAccountPolicy`, in the names of the API. */
export type DetachAccountPolicyResponse = {
  readonly policyKRN: string;
  readonly [field: string]: unknown;
};

/** Operations of the area `accountPolicy`. */
export interface AccountPolicyOperations {
  /** Lists the policies of the account; the API may return one policy in place of a list. With `for await`, returns the rows of all pages. `GET /internal/kos/v1/policy` (docs/contract.md#9.4) */
  listAccountPolicies(args?: ListAccountPoliciesArguments, options?: CallOptions): Paged<ListAccountPoliciesResponse, ListAccountPoliciesRow>;
  /** Creates a policy of the account. `POST /internal/kos/v1/policy` (docs/contract.md#9.4) */
  createAccountPolicy(args: CreateAccountPolicyArguments, options?: CallOptions): Promise<CreateAccountPolicyResponse>;
  /** Returns name and ID of a policy, without its statements. `GET /internal/kos/v1/policy/{policy}` (docs/contract.md#9.4) */
  getAccountPolicy(args: GetAccountPolicyArguments, options?: CallOptions): Promise<GetAccountPolicyResponse>;
  /** Replaces a policy of the account. `PUT /internal/kos/v1/policy/{policy}` (docs/contract.md#9.4) */
  updateAccountPolicy(args: UpdateAccountPolicyArguments, options?: CallOptions): Promise<UpdateAccountPolicyResponse>;
  /** Deletes a policy of the account. It destroys. `DELETE /internal/kos/v1/policy/{policy}` (docs/contract.md#9.4) */
  deleteAccountPolicy(args: DeleteAccountPolicyArguments, options?: CallOptions): Promise<void>;
  /** Attaches policies to the account. `POST /internal/kos/v1/policy/attach` (docs/contract.md#9.4) */
  attachAccountPolicy(args: AttachAccountPolicyArguments, options?: CallOptions): Promise<AttachAccountPolicyResponse>;
  /** Detaches policies from the account. `POST /internal/kos/v1/policy/detach` (docs/contract.md#9.4) */
  detachAccountPolicy(args: DetachAccountPolicyArguments, options?: CallOptions): Promise<DetachAccountPolicyResponse>;
}

/** Arguments of `activateSession`. */
export interface ActivateSessionArguments {
  /** Access key. */
  readonly accessKey: string;
  /** Secret of the access key. */
  readonly secretKey: string;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `activateSession`, in the names of the API. */
export type ActivateSessionResponse = {
  readonly sessionToken: string;
  readonly refreshToken: string;
  readonly expiresAt?: string | null | undefined;
  readonly lastActiveAt?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `refreshSession`. */
export interface RefreshSessionArguments {
  /** Token of the session. */
  readonly sessionToken: string;
  /** Refresh token of the session. */
  readonly refreshToken: string;
}

/** Response to `refreshSession`, in the names of the API. */
export type RefreshSessionResponse = {
  readonly sessionToken: string;
  readonly refreshToken: string;
  readonly expiresAt?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `deactivateSession`. */
export interface DeactivateSessionArguments {
  /** Token of the session. */
  readonly sessionToken: string;
}

/** Arguments of `getSessionStatus`. */
export interface GetSessionStatusArguments {
  /** Token of the session. */
  readonly sessionToken: string;
}

/** Response to `getSessionStatus`, in the names of the API. */
export type GetSessionStatusResponse = {
  readonly expiresAt?: string | null | undefined;
  readonly lastActiveAt?: string | null | undefined;
  readonly createdAt?: string | null | undefined;
  readonly isActive?: boolean | null | undefined;
  readonly [field: string]: unknown;
};

/** Operations of the area `objectSession`. */
export interface ObjectSessionOperations extends ObjectSessionWaiters {
  /** Opens the session of an access key, which ends an earlier one. `POST /kos/v1/sessions/activate` (docs/contract.md#9.5) */
  activateSession(args: ActivateSessionArguments, options?: CallOptions): Promise<ActivateSessionResponse>;
  /** Extends a session and returns its new tokens. `POST /kos/v1/sessions/refresh/{token}` (docs/contract.md#9.5) */
  refreshSession(args: RefreshSessionArguments, options?: CallOptions): Promise<RefreshSessionResponse>;
  /** Ends a session. It destroys. `DELETE /kos/v1/sessions/deactivate/{token}` (docs/contract.md#9.5) */
  deactivateSession(args: DeactivateSessionArguments, options?: CallOptions): Promise<void>;
  /** Returns the times of a session, and whether it is active. `GET /kos/v1/sessions/status/{token}` (docs/contract.md#9.5) */
  getSessionStatus(args: GetSessionStatusArguments, options?: CallOptions): Promise<GetSessionStatusResponse>;
}

/** Arguments of `listObjects`. */
export interface ListObjectsArguments {
  /** ID of the bucket. */
  readonly bucketId: string;
  /** Start of the keys. */
  readonly prefix?: string | undefined;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `listObjects`, in the names of the API. */
export type ListObjectsResponse = {
  readonly prefix?: string | null | undefined;
  readonly objects: readonly {
    readonly key: string;
    readonly isFolder?: boolean | null | undefined;
    readonly size?: number | null | undefined;
    readonly lastModified?: string | null | undefined;
    readonly [field: string]: unknown;
  }[] | null;
  readonly [field: string]: unknown;
} | readonly {
  readonly key: string;
  readonly isFolder?: boolean | null | undefined;
  readonly size?: number | null | undefined;
  readonly lastModified?: string | null | undefined;
  readonly [field: string]: unknown;
}[];

/** Row of `listObjects`. */
export type ListObjectsRow = {
  readonly key: string;
  readonly isFolder?: boolean | null | undefined;
  readonly size?: number | null | undefined;
  readonly lastModified?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `uploadObject`. */
export interface UploadObjectArguments {
  /** ID of the bucket. */
  readonly bucketId: string;
  /** Key of the object. */
  readonly key: string;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `uploadObject`, in the names of the API. */
export type UploadObjectResponse = {
  readonly preSignedUrl?: string | null | undefined;
  readonly url?: string | null | undefined;
  readonly objectKey?: string | null | undefined;
  readonly message?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `deleteObject`. */
export interface DeleteObjectArguments {
  /** ID of the bucket. */
  readonly bucketId: string;
  /** Key of the object. */
  readonly key: string;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `deleteObject`, in the names of the API. */
export type DeleteObjectResponse = {
  readonly objectKey?: string | null | undefined;
  readonly message?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `downloadObject`. */
export interface DownloadObjectArguments {
  /** ID of the bucket. */
  readonly bucketId: string;
  /** Key of the object. */
  readonly key: string;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `downloadObject`, in the names of the API. */
export type DownloadObjectResponse = {
  readonly preSignedUrl: string;
  readonly objectKey?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `presignObject`. */
export interface PresignObjectArguments {
  /** ID of the bucket. */
  readonly bucketId: string;
  /** Key of the object. */
  readonly key: string;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `presignObject`, in the names of the API. */
export type PresignObjectResponse = { readonly [name: string]: unknown };

/** Arguments of `getObjectMetadata`. */
export interface GetObjectMetadataArguments {
  /** ID of the bucket. */
  readonly bucketId: string;
  /** Key of the object. */
  readonly key: string;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `getObjectMetadata`, in the names of the API. */
export type GetObjectMetadataResponse = {
  readonly key?: string | null | undefined;
  readonly size_bytes: number;
  readonly storage_class?: string | null | undefined;
  readonly etag?: string | null | undefined;
  readonly contentType?: string | null | undefined;
  readonly lastModified?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `moveObject`. */
export interface MoveObjectArguments {
  /** ID of the bucket. */
  readonly bucketId: string;
  /** Key of the object. */
  readonly sourceKey: string;
  /** New key. */
  readonly destinationKey: string;
  /** `copy` keeps the object at its key, `move` does not. */
  readonly action: "move" | "copy";
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `moveObject`, in the names of the API. */
export type MoveObjectResponse = {
  readonly sourceKey?: string | null | undefined;
  readonly destinationKey?: string | null | undefined;
  readonly message?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `renameObject`. */
export interface RenameObjectArguments {
  /** ID of the bucket. */
  readonly bucketId: string;
  /** Key of the object. */
  readonly oldKey: string;
  /** New key. */
  readonly newKey: string;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `renameObject`, in the names of the API. */
export type RenameObjectResponse = {
  readonly oldKey?: string | null | undefined;
  readonly newKey?: string | null | undefined;
  readonly message?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `getObjectContent`. */
export interface GetObjectContentArguments {
  /** Pre-signed URL, which grants access to the object until it expires. */
  readonly address: string;
}

/** Arguments of `putObjectContent`. */
export interface PutObjectContentArguments {
  /** Pre-signed URL, which grants access to the object until it expires. */
  readonly address: string;
  /** Media type of the object, such as `text/plain`. */
  readonly contentType?: string | undefined;
  /** If true, an object of the key is not overwritten. Default: `false`. */
  readonly isNew?: boolean | undefined;
  /** Content of the object. Bytes, a `Blob`, or an object with the path of a file. */
  readonly content: UploadContent;
}

/** Operations of the area `object`. */
export interface ObjectOperations extends ObjectTransfers {
  /** Lists the objects of a bucket. The API may show a folder as one entry. With `for await`, returns the rows of all pages. `GET /kos/v1/buckets/{bucket}/objects` (docs/contract.md#9.5) */
  listObjects(args: ListObjectsArguments, options?: CallOptions): Paged<ListObjectsResponse, ListObjectsRow>;
  /** Starts the upload of an object and returns the pre-signed URL to which its content is sent. `PUT /kos/v1/buckets/{bucket}/objects` (docs/contract.md#9.5) */
  uploadObject(args: UploadObjectArguments, options?: CallOptions): Promise<UploadObjectResponse>;
  /** Deletes an object. It destroys. `POST /kos/v1/buckets/{bucket}/objects/delete` (docs/contract.md#9.5) */
  deleteObject(args: DeleteObjectArguments, options?: CallOptions): Promise<DeleteObjectResponse>;
  /** Returns a pre-signed URL at which the content of an object can be read; `download` reads it. `POST /kos/v1/buckets/{bucket}/objects/download` (docs/contract.md#9.5) */
  downloadObject(args: DownloadObjectArguments, options?: CallOptions): Promise<DownloadObjectResponse>;
  /** Returns pre-signed URLs of an object; the form of the response is not documented. `POST /kos/v1/buckets/{bucket}/objects/url` (docs/contract.md#9.5) */
  presignObject(args: PresignObjectArguments, options?: CallOptions): Promise<PresignObjectResponse>;
  /** Returns size, etag and media type of an object. `POST /kos/v1/buckets/{bucket}/objects/metadata` (docs/contract.md#9.5) */
  getObjectMetadata(args: GetObjectMetadataArguments, options?: CallOptions): Promise<GetObjectMetadataResponse>;
  /** Moves or copies an object to another key of its bucket. `POST /kos/v1/buckets/{bucket}/objects/move` (docs/contract.md#9.5) */
  moveObject(args: MoveObjectArguments, options?: CallOptions): Promise<MoveObjectResponse>;
  /** Renames an object: the API copies it to the new key, then deletes the original. `POST /kos/v1/buckets/{bucket}/objects/rename` (docs/contract.md#9.5) */
  renameObject(args: RenameObjectArguments, options?: CallOptions): Promise<RenameObjectResponse>;
  /** Reads the content of an object at a pre-signed URL. `GET /kos/content/{bucket}/{object}` (docs/contract.md#9.5) */
  getObjectContent(args: GetObjectContentArguments, options?: CallOptions): AsyncIterable<Uint8Array>;
  /** Sends the content of an object to a pre-signed URL. `PUT /kos/content/{bucket}/{object}` (docs/contract.md#9.5) */
  putObjectContent(args: PutObjectContentArguments, options?: CallOptions): Promise<void>;
}

/** Arguments of `createPod`. */
export type CreatePodArguments = {
  /** Name of the pod: 1 to 32 letters, digits, `_` or `-`. */
  readonly podName: string;
  /** Name of the instance type, which `listPodFlavors` lists. */
  readonly instanceType: string;
  /** Name of the SSH key; required with `sshAccess`. Default: `""`. */
  readonly sshkeyName?: string | undefined;
  /** Size of the disk of the container in GB. At least 1. */
  readonly containerDiskSize?: number | undefined;
  /** Size of the volume in GB. At least 1. */
  readonly volumeSize?: number | undefined;
  /** Path of the volume in the container. */
  readonly volumeMountPath?: string | undefined;
  /** Ports that are reachable by HTTP. */
  readonly exposeHttpPorts?: readonly number[] | undefined;
  /** Ports that are reachable by TCP. */
  readonly exposeTcpPorts?: readonly number[] | undefined;
  /** If true, the volume is encrypted. Default: `false`. */
  readonly encryptVolume?: boolean | undefined;
  /** If true, a notebook server is started. Default: `false`. */
  readonly jupyterNotebook?: boolean | undefined;
  /** If true, the pod is reachable by SSH. Default: `false`. */
  readonly sshAccess?: boolean | undefined;
  /** Environment variables of the container. Default: `{}`. */
  readonly environmentVariables?: { readonly [name: string]: string } | undefined;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
} & (
  | {
      /** ID of the image that the pod runs. */
      readonly imageKrn: string;
      readonly podTemplateId?: undefined;
    }
  | {
      /** Number of the template that the pod runs, in place of an image. At least 1. */
      readonly podTemplateId: number;
      readonly imageKrn?: undefined;
    }
);

/** Response to `createPod`, in the names of the API. */
export type CreatePodResponse = {
  readonly pod_id?: string | number | null | undefined;
  readonly message?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `updatePod`. */
export interface UpdatePodArguments {
  /** ID of the pod: its KRN, or `pod_id` of the response to its creation. */
  readonly podId: string;
  /** Action on the pod. */
  readonly action: "start" | "stop" | "restart";
}

/** Response to `updatePod`, in the names of the API. */
export type UpdatePodResponse = {
  readonly message?: string | null | undefined;
  readonly status?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `deletePod`. */
export interface DeletePodArguments {
  /** ID of the pod: its KRN, or `pod_id` of the response to its creation. */
  readonly podId: string;
}

/** Response to `deletePod`, in the names of the API. */
export type DeletePodResponse = {
  readonly message: string;
  readonly [field: string]: unknown;
};

/** Arguments of `getPod`. */
export interface GetPodArguments {
  /** ID of the pod: its KRN, or `pod_id` of the response to its creation. */
  readonly podId: string;
}

/** Response to `getPod`, in the names of the API. */
export type GetPodResponse = {
  readonly pod_name?: string | null | undefined;
  readonly pod_template_id?: number | string | null | undefined;
  readonly flavor_name?: string | null | undefined;
  readonly sshkey_name?: string | null | undefined;
  readonly container_disk_size?: number | string | null | undefined;
  readonly volume_disk_size?: number | string | null | undefined;
  readonly volume_mount_path?: string | null | undefined;
  readonly expose_http_ports?: string | null | undefined;
  readonly expose_tcp_ports?: string | null | undefined;
  readonly has_encrypt_volume?: boolean | null | undefined;
  readonly has_jupyter_notebook?: boolean | null | undefined;
  readonly has_ssh_access?: boolean | null | undefined;
  readonly environment_variables?: readonly {
    readonly name: string;
    readonly value: string;
    readonly [field: string]: unknown;
  }[] | null | undefined;
  readonly status?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `listPodTemplates`. */
export type ListPodTemplatesArguments = { readonly [name: string]: never };

/** Response to `listPodTemplates`, in the names of the API. */
export type ListPodTemplatesResponse = readonly {
  readonly ID?: number | null | undefined;
  readonly template_name?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly template_type?: string | null | undefined;
  readonly supported_services?: readonly string[] | null | undefined;
  readonly container_disk_size?: string | null | undefined;
  readonly volume_disk_size?: string | null | undefined;
  readonly volume_mount_path?: string | null | undefined;
  readonly expose_http_ports?: string | null | undefined;
  readonly expose_tcp_ports?: string | null | undefined;
  readonly environment_variables?: string | null | undefined;
  readonly enable_ssh?: boolean | null | undefined;
  readonly enable_jupyter?: boolean | null | undefined;
  readonly require_model_source?: boolean | null | undefined;
  readonly [field: string]: unknown;
}[];

/** Row of `listPodTemplates`. */
export type ListPodTemplatesRow = {
  readonly ID?: number | null | undefined;
  readonly template_name?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly template_type?: string | null | undefined;
  readonly supported_services?: readonly string[] | null | undefined;
  readonly container_disk_size?: string | null | undefined;
  readonly volume_disk_size?: string | null | undefined;
  readonly volume_mount_path?: string | null | undefined;
  readonly expose_http_ports?: string | null | undefined;
  readonly expose_tcp_ports?: string | null | undefined;
  readonly environment_variables?: string | null | undefined;
  readonly enable_ssh?: boolean | null | undefined;
  readonly enable_jupyter?: boolean | null | undefined;
  readonly require_model_source?: boolean | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `listPodFlavors`. */
export type ListPodFlavorsArguments = { readonly [name: string]: never };

/** Response to `listPodFlavors`, in the names of the API. */
export type ListPodFlavorsResponse = readonly { readonly [name: string]: unknown }[];

/** Row of `listPodFlavors`. */
export type ListPodFlavorsRow = { readonly [name: string]: unknown };

/** Arguments of `listGpuResources`. */
export type ListGpuResourcesArguments = { readonly [name: string]: never };

/** Response to `listGpuResources`, in the names of the API. */
export type ListGpuResourcesResponse = readonly { readonly [name: string]: unknown }[];

/** Row of `listGpuResources`. */
export type ListGpuResourcesRow = { readonly [name: string]: unknown };

/** Arguments of `listSandboxTemplates`. */
export type ListSandboxTemplatesArguments = { readonly [name: string]: never };

/** Response to `listSandboxTemplates`, in the names of the API. */
export type ListSandboxTemplatesResponse = readonly {
  readonly ID?: number | null | undefined;
  readonly template_name?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly template_type?: string | null | undefined;
  readonly supported_services?: readonly string[] | null | undefined;
  readonly container_disk_size?: string | null | undefined;
  readonly volume_disk_size?: string | null | undefined;
  readonly volume_mount_path?: string | null | undefined;
  readonly expose_http_ports?: string | null | undefined;
  readonly expose_tcp_ports?: string | null | undefined;
  readonly environment_variables?: string | null | undefined;
  readonly enable_ssh?: boolean | null | undefined;
  readonly enable_jupyter?: boolean | null | undefined;
  readonly require_model_source?: boolean | null | undefined;
  readonly [field: string]: unknown;
}[];

/** Row of `listSandboxTemplates`. */
export type ListSandboxTemplatesRow = {
  readonly ID?: number | null | undefined;
  readonly template_name?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly template_type?: string | null | undefined;
  readonly supported_services?: readonly string[] | null | undefined;
  readonly container_disk_size?: string | null | undefined;
  readonly volume_disk_size?: string | null | undefined;
  readonly volume_mount_path?: string | null | undefined;
  readonly expose_http_ports?: string | null | undefined;
  readonly expose_tcp_ports?: string | null | undefined;
  readonly environment_variables?: string | null | undefined;
  readonly enable_ssh?: boolean | null | undefined;
  readonly enable_jupyter?: boolean | null | undefined;
  readonly require_model_source?: boolean | null | undefined;
  readonly [field: string]: unknown;
};

/** Operations of the area `aiPod`. */
export interface AiPodOperations extends AiPodWaiters {
  /** Creates an AI pod from an image or from a template of the catalogue. `POST /v1/kpod/pod` (docs/contract.md#10) */
  createPod(args: CreatePodArguments, options?: CallOptions): Promise<CreatePodResponse>;
  /** Starts, stops or restarts a pod. `PUT /v1/kpod/pod/{pod}` (docs/contract.md#10) */
  updatePod(args: UpdatePodArguments, options?: CallOptions): Promise<UpdatePodResponse>;
  /** Deletes a pod. It destroys. `DELETE /v1/kpod/pod/{pod}` (docs/contract.md#10) */
  deletePod(args: DeletePodArguments, options?: CallOptions): Promise<DeletePodResponse>;
  /** Returns a pod, by a route that is an assumption. `GET /v1/kpod/pod/{pod}` (docs/contract.md#10) */
  getPod(args: GetPodArguments, options?: CallOptions): Promise<GetPodResponse>;
  /** Lists the templates of the catalogue. With `for await`, returns the rows of all pages. `GET /v1/kpod/podtemplate` (docs/contract.md#10) */
  listPodTemplates(args?: ListPodTemplatesArguments, options?: CallOptions): Paged<ListPodTemplatesResponse, ListPodTemplatesRow>;
  /** Lists the instance types of pods. With `for await`, returns the rows of all pages. `GET /api/v1/flavor/kpod` (docs/contract.md#10) */
  listPodFlavors(args?: ListPodFlavorsArguments, options?: CallOptions): Paged<ListPodFlavorsResponse, ListPodFlavorsRow>;
  /** Lists the GPUs of the catalogue. With `for await`, returns the rows of all pages. `GET /v2/kpod/gpuresource` (docs/contract.md#10) */
  listGpuResources(args?: ListGpuResourcesArguments, options?: CallOptions): Paged<ListGpuResourcesResponse, ListGpuResourcesRow>;
  /** Lists the templates of pods and sandboxes. With `for await`, returns the rows of all pages. `GET /omni/sandbox/v1/template` (docs/contract.md#10) */
  listSandboxTemplates(args?: ListSandboxTemplatesArguments, options?: CallOptions): Paged<ListSandboxTemplatesResponse, ListSandboxTemplatesRow>;
}

/** Arguments of `createInferenceTask`. */
export interface CreateInferenceTaskArguments {
  /** Name of the task. */
  readonly taskName?: string | undefined;
  /** Namespace of the task. Default: `"gpu-scheduler"`. */
  readonly namespace?: string | undefined;
  /** Priority of the task. At least 0. */
  readonly priority?: number | undefined;
  /** Name of the model. */
  readonly model?: string | undefined;
  /** Name of a checkpoint, which `listCheckpoints` lists. */
  readonly checkpoint?: string | undefined;
  /** Number of GPUs. At least 1. */
  readonly ngpu?: number | undefined;
}

/** Response to `createInferenceTask`, in the names of the API. */
export type CreateInferenceTaskResponse = {
  readonly id: string | number;
  readonly name?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `listInferenceTasks`. */
export type ListInferenceTasksArguments = { readonly [name: string]: never };

/** Response to `listInferenceTasks`, in the names of the API. */
export type ListInferenceTasksResponse = readonly {
  readonly id: string | number;
  readonly name?: string | null | undefined;
  readonly [field: string]: unknown;
}[];

/** Row of `listInferenceTasks`. */
export type ListInferenceTasksRow = {
  readonly id: string | number;
  readonly name?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `getInferenceTask`. */
export interface GetInferenceTaskArguments {
  /** ID of the task. */
  readonly taskId: string;
}

/** Response to `getInferenceTask`, in the names of the API. */
export type GetInferenceTaskResponse = {
  readonly id: string | number;
  readonly name?: string | null | undefined;
  readonly namespace?: string | null | undefined;
  readonly priority?: string | number | null | undefined;
  readonly status?: string | null | undefined;
  readonly inference_svc_name?: string | null | undefined;
  readonly inference_svc_url?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `cancelInferenceTask`. */
export interface CancelInferenceTaskArguments {
  /** ID of the task. */
  readonly taskId: string;
}

/** Arguments of `listCheckpoints`. */
export type ListCheckpointsArguments = { readonly [name: string]: never };

/** Response to `listCheckpoints`, in the names of the API. */
export type ListCheckpointsResponse = readonly (string | {
  readonly name: string;
  readonly [field: string]: unknown;
})[];

/** Row of `listCheckpoints`. */
export type ListCheckpointsRow = string | {
  readonly name: string;
  readonly [field: string]: unknown;
};

/** Arguments of `deleteCheckpoint`. */
export interface DeleteCheckpointArguments {
  /** Name of the checkpoint. */
  readonly checkpoint: string;
}

/** Operations of the area `inference`. */
export interface InferenceOperations extends InferenceWaiters {
  /** Starts a task that serves a model on GPUs and is billed until it is cancelled. `POST /v1/inference/tasks` (docs/contract.md#12) */
  createInferenceTask(args?: CreateInferenceTaskArguments, options?: CallOptions): Promise<CreateInferenceTaskResponse>;
  /** Lists IDs and names of the tasks of the user. With `for await`, returns the rows of all pages. `GET /v1/inference/tasks` (docs/contract.md#12) */
  listInferenceTasks(args?: ListInferenceTasksArguments, options?: CallOptions): Paged<ListInferenceTasksResponse, ListInferenceTasksRow>;
  /** Returns a task with its status and the URL of its service. `GET /v1/inference/tasks/{task}` (docs/contract.md#12) */
  getInferenceTask(args: GetInferenceTaskArguments, options?: CallOptions): Promise<GetInferenceTaskResponse>;
  /** Cancels a task, although the request is a GET. It destroys. `GET /v1/inference/tasks/{task}/cancel` (docs/contract.md#12) */
  cancelInferenceTask(args: CancelInferenceTaskArguments, options?: CallOptions): Promise<void>;
  /** Lists the names of the fine-tuned checkpoints of the user. With `for await`, returns the rows of all pages. `GET /v1/inference/checkpoints` (docs/contract.md#12) */
  listCheckpoints(args?: ListCheckpointsArguments, options?: CallOptions): Paged<ListCheckpointsResponse, ListCheckpointsRow>;
  /** Deletes a checkpoint, although the request is a GET. It destroys. `GET /v1/inference/checkpoints/{checkpoint}/del` (docs/contract.md#12) */
  deleteCheckpoint(args: DeleteCheckpointArguments, options?: CallOptions): Promise<void>;
}

/** Arguments of `detectLanguage`. */
export interface DetectLanguageArguments {
  /** Text. */
  readonly query: string;
}

/** Response to `detectLanguage`, in the names of the API. */
export type DetectLanguageResponse = {
  readonly data: readonly {
    readonly label: string;
    readonly value: string;
    readonly [field: string]: unknown;
  }[];
  readonly status?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `extractEntities`. */
export interface ExtractEntitiesArguments {
  /** Text. */
  readonly text: string;
  /** Language of the text. */
  readonly langFrom: "hin" | "ben" | "mar" | "tam" | "tel" | "kan" | "mal" | "pan" | "guj";
  /** Kinds of the entities. */
  readonly paramList: readonly ("keywords" | "profanity" | "ner" | "task_type" | "pii")[];
}

/** Response to `extractEntities`, in the names of the API. */
export type ExtractEntitiesResponse = {
  readonly data: readonly {
    readonly title: string;
    readonly color?: string | undefined;
    readonly data: readonly {
      readonly label: string;
      readonly value: string;
      readonly [field: string]: unknown;
    }[];
    readonly [field: string]: unknown;
  }[];
  readonly Total_entities: number;
  readonly status?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `summarize`. */
export interface SummarizeArguments {
  /** Text. */
  readonly text: string;
  /** Language of the text. */
  readonly inputLanguage: "eng" | "hin" | "ben" | "mar" | "tam" | "tel" | "kan" | "mal" | "pan" | "guj";
  /** Size of the summary in words. At least 1. */
  readonly summarySize: number;
}

/** Response to `summarize`, in the names of the API. */
export type SummarizeResponse = {
  readonly data: {
    readonly summaryText: string;
    readonly [field: string]: unknown;
  };
  readonly status?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `translate`. */
export interface TranslateArguments {
  /** Text. */
  readonly text: string;
  /** Language of the text with its script, such as `eng_Latn`. */
  readonly srcLanguage: string;
  /** Language of the translation with its script, such as `hin_Deva`. */
  readonly tgtLanguage: string;
  /** Name of the model. Default: `"service-translate-v1.0"`. */
  readonly model?: string | undefined;
}

/** Response to `translate`, in the names of the API. */
export type TranslateResponse = {
  readonly data: {
    readonly translated_text: string;
    readonly [field: string]: unknown;
  };
  readonly status?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `analyzeSentiment`. */
export interface AnalyzeSentimentArguments {
  /** Text. */
  readonly text: string;
  /** Language of the text. */
  readonly langFrom: "eng" | "hin" | "ben" | "mar" | "tam" | "tel" | "kan" | "mal" | "pan" | "guj";
}

/** Response to `analyzeSentiment`, in the names of the API. */
export type AnalyzeSentimentResponse = {
  readonly Sentiment: readonly {
    readonly label: string;
    readonly value: readonly string[];
    readonly [field: string]: unknown;
  }[];
  readonly status?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Operations of the area `text`. */
export interface TextOperations {
  /** Returns the languages of a text. `POST /api/v1/languagelabs/language-detection` (docs/contract.md#13) */
  detectLanguage(args: DetectLanguageArguments, options?: CallOptions): Promise<DetectLanguageResponse>;
  /** Returns the entities in a text. `POST /api/v1/languagelabs/entity-extraction` (docs/contract.md#13) */
  extractEntities(args: ExtractEntitiesArguments, options?: CallOptions): Promise<ExtractEntitiesResponse>;
  /** Returns a summary of a text. `POST /api/v1/languagelabs/summarization` (docs/contract.md#13) */
  summarize(args: SummarizeArguments, options?: CallOptions): Promise<SummarizeResponse>;
  /** Returns the translation of a text. `POST /api/v1/languagelabs/translation` (docs/contract.md#13) */
  translate(args: TranslateArguments, options?: CallOptions): Promise<TranslateResponse>;
  /** Returns the sentiment of a text. `POST /api/v1/languagelabs/sentiment-analysis` (docs/contract.md#13) */
  analyzeSentiment(args: AnalyzeSentimentArguments, options?: CallOptions): Promise<AnalyzeSentimentResponse>;
}

/** Arguments of `extractDocumentText`. */
export interface ExtractDocumentTextArguments {
  /** Language of the document. Known values: `english`. */
  readonly language: string;
  /** Kind of the document. Known values: `Digital`, `Scanned`. */
  readonly fileType: string;
  /** The document. Bytes, a `Blob`, or an object with the path of a file. */
  readonly content: UploadContent;
}

/** Response to `extractDocumentText`, in the names of the API. */
export type ExtractDocumentTextResponse = {
  readonly data: {
    readonly file_id: string;
    readonly file_status: string;
    readonly [field: string]: unknown;
  };
  readonly code?: number | null | undefined;
  readonly http_status?: string | null | undefined;
  readonly status?: string | null | undefined;
  readonly timestamp?: number | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `extractDocumentInformation`. */
export interface ExtractDocumentInformationArguments {
  /** Language of the document. Known values: `english`. */
  readonly language: string;
  /** Kind of the document. Known values: `Digital`, `Scanned`. */
  readonly fileType: string;
  /** Kinds of the information: `PII`, `NER` and `key_value`. */
  readonly entities: readonly string[];
  /** Names of the values. */
  readonly keysToExtract?: readonly string[] | undefined;
  /** The document. Bytes, a `Blob`, or an object with the path of a file. */
  readonly content: UploadContent;
}

/** Response to `extractDocumentInformation`, in the names of the API. */
export type ExtractDocumentInformationResponse = {
  readonly data: {
    readonly file_id: string;
    readonly file_status: string;
    readonly [field: string]: unknown;
  };
  readonly code?: number | null | undefined;
  readonly http_status?: string | null | undefined;
  readonly status?: string | null | undefined;
  readonly timestamp?: number | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `summarizeDocument`. */
export interface SummarizeDocumentArguments {
  /** Language of the document. Known values: `english`. */
  readonly language: string;
  /** Kind of the document. Known values: `Digital`, `Scanned`. */
  readonly fileType: string;
  /** Size of the summary in words. At least 1. */
  readonly wordCount: number;
  /** The document. Bytes, a `Blob`, or an object with the path of a file. */
  readonly content: UploadContent;
}

/** Response to `summarizeDocument`, in the names of the API. */
export type SummarizeDocumentResponse = {
  readonly data: {
    readonly file_id: string;
    readonly file_status: string;
    readonly [field: string]: unknown;
  };
  readonly code?: number | null | undefined;
  readonly http_status?: string | null | undefined;
  readonly status?: string | null | undefined;
  readonly timestamp?: number | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `maskDocument`. */
export interface MaskDocumentArguments {
  /** Language of the document. Known values: `english`. */
  readonly language: string;
  /** Kind of the document. Known values: `Digital`, `Scanned`. */
  readonly fileType: string;
  /** Names of the values. */
  readonly keysToMask: readonly string[];
  /** The document. Bytes, a `Blob`, or an object with the path of a file. */
  readonly content: UploadContent;
}

/** Response to `maskDocument`, in the names of the API. */
export type MaskDocumentResponse = {
  readonly data: {
    readonly file_id: string;
    readonly file_status: string;
    readonly [field: string]: unknown;
  };
  readonly code?: number | null | undefined;
  readonly http_status?: string | null | undefined;
  readonly status?: string | null | undefined;
  readonly timestamp?: number | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `getDocumentStatus`. */
export interface GetDocumentStatusArguments {
  /** ID of the job: `data.file_id` of the response to its submission. */
  readonly fileId: string;
}

/** Response to `getDocumentStatus`, in the names of the API. */
export type GetDocumentStatusResponse = {
  readonly data: {
    readonly file_status: string;
    readonly output_file?: string | null | undefined;
    readonly [field: string]: unknown;
  };
  readonly code?: number | null | undefined;
  readonly http_status?: string | null | undefined;
  readonly status?: string | null | undefined;
  readonly timestamp?: number | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `getDocumentResult`. */
export interface GetDocumentResultArguments {
  /** Pre-signed URL, which grants access to the result until it expires. */
  readonly address: string;
}

/** Operations of the area `document`. */
export interface DocumentOperations extends DocumentWaiters {
  /** Submits a document whose text is extracted. `POST /v1/document/extract_text` (docs/contract.md#14) */
  extractDocumentText(args: ExtractDocumentTextArguments, options?: CallOptions): Promise<ExtractDocumentTextResponse>;
  /** Submits a document from which entities and values are extracted. `POST /v1/document/extract_information` (docs/contract.md#14) */
  extractDocumentInformation(args: ExtractDocumentInformationArguments, options?: CallOptions): Promise<ExtractDocumentInformationResponse>;
  /** Submits a document of which a summary is made. `POST /v1/document/doc_summarization` (docs/contract.md#14) */
  summarizeDocument(args: SummarizeDocumentArguments, options?: CallOptions): Promise<SummarizeDocumentResponse>;
  /** Submits a document in which values are masked. `POST /v1/document/PII_masking` (docs/contract.md#14) */
  maskDocument(args: MaskDocumentArguments, options?: CallOptions): Promise<MaskDocumentResponse>;
  /** Returns the status of a job and, once it is done, a pre-signed URL of its result. `GET /v1/document/status` (docs/contract.md#14) */
  getDocumentStatus(args: GetDocumentStatusArguments, options?: CallOptions): Promise<GetDocumentStatusResponse>;
  /** Reads the result of a job at a pre-signed URL. `GET /document/results/{file}` (docs/contract.md#14) */
  getDocumentResult(args: GetDocumentResultArguments, options?: CallOptions): AsyncIterable<Uint8Array>;
}

/** Operations by area. */
export interface Operations {
  readonly signIn: SignInOperations;
  readonly vpc: VpcOperations;
  readonly port: PortOperations;
  readonly securityGroup: SecurityGroupOperations;
  readonly sshKey: SshKeyOperations;
  readonly image: ImageOperations;
  readonly instance: InstanceOperations;
  readonly instanceTemplate: InstanceTemplateOperations;
  readonly volume: VolumeOperations;
  readonly bucket: BucketOperations;
  readonly accessKey: AccessKeyOperations;
  readonly accountPolicy: AccountPolicyOperations;
  readonly objectSession: ObjectSessionOperations;
  readonly object: ObjectOperations;
  readonly aiPod: AiPodOperations;
  readonly inference: InferenceOperations;
  readonly text: TextOperations;
  readonly document: DocumentOperations;
}
