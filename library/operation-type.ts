/** Generated from the table of operations by `npm run docs`: do not edit. */
import type { CallOptions } from "./call.ts";
import type { UploadContent } from "./content.ts";
import type { Paged } from "./page.ts";
import type { ObjectTransfers } from "./transfer.ts";
import type { VpcWaiters, VolumeWaiters, InferenceWaiters, ObjectSessionWaiters } from "./waiter.ts";

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
export type SignInRootAnswer = {
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
export type SignInUserAnswer = {
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
export type SignInProgrammaticAnswer = {
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
export type CreateApiKeyAnswer = {
  readonly secretKey: string;
  readonly [field: string]: unknown;
};

/** Operations of the area `signIn`. */
export interface SignInOperations {
  /** Signs in as the root user and returns an access token, which is valid for 5 minutes. `POST /iam/v1/signInAsRootUser` (docs/contract.md#1.2) */
  signInRoot(arguments_: SignInRootArguments, options?: CallOptions): Promise<SignInRootAnswer>;
  /** Signs in as a user of the account and returns an access token, which is valid for 5 minutes. `POST /iam/v1/signInAsIAMUser` (docs/contract.md#1.2) */
  signInUser(arguments_: SignInUserArguments, options?: CallOptions): Promise<SignInUserAnswer>;
  /** Signs in with an access key of a user and returns an access token, which is valid for 5 minutes. `POST /iam/v1/signinProgrammaticUser` (docs/contract.md#1.2) */
  signInProgrammatic(arguments_: SignInProgrammaticArguments, options?: CallOptions): Promise<SignInProgrammaticAnswer>;
  /** Creates an API key, which only a client that signs in with email and password may do. `POST /iam/v1/apikey` (docs/contract.md#1.2) */
  createApiKey(arguments_: CreateApiKeyArguments, options?: CallOptions): Promise<CreateApiKeyAnswer>;
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
export type CreateVpcAnswer = {
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
export type GetVpcTaskStatusAnswer = {
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
export type GetVpcAnswer = {
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
export type DescribeVpcAnswer = { readonly [name: string]: {
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
export type GetVpcListAnswer = readonly {
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
export type SearchVpcAnswer = {
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
export type SearchVpcV2Answer = {
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
export type CreateSubnetAnswer = {
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
export type SearchSubnetAnswer = unknown;

/** Arguments of `searchNetwork`. */
export interface SearchNetworkArguments {
  /** ID of the VPC. */
  readonly vpcId: string;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `searchNetwork`, in the names of the API. */
export type SearchNetworkAnswer = readonly {
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
export type DeleteSubnetAnswer = {
  readonly success?: string | null | undefined;
  readonly message?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Operations of the area `vpc`. */
export interface VpcOperations extends VpcWaiters {
  /** Starts the creation of a VPC with its network and, if given, its first subnet; the task reports the result. `POST /v1/highlvlvpc/create_vpc_async` (docs/contract.md#2.1) */
  createVpc(arguments_: CreateVpcArguments, options?: CallOptions): Promise<CreateVpcAnswer>;
  /** Returns the state of the task that creates a VPC, with the ID of the VPC. `POST /v1/highlvlvpc/get_vpc_task_status` (docs/contract.md#2.1) */
  getVpcTaskStatus(arguments_: GetVpcTaskStatusArguments, options?: CallOptions): Promise<GetVpcTaskStatusAnswer>;
  /** Returns a VPC with its network and its subnets. `POST /v1/highlvlvpc/get_vpc` (docs/contract.md#2.1) */
  getVpc(arguments_: GetVpcArguments, options?: CallOptions): Promise<GetVpcAnswer>;
  /** Returns the network of a VPC and the IDs of its subnets. `GET /v1/highlvlvpc/describe_vpc` (docs/contract.md#2.1) */
  describeVpc(arguments_: DescribeVpcArguments, options?: CallOptions): Promise<DescribeVpcAnswer>;
  /** Lists the VPCs of a region; the API may add those of other regions. With `for await`, returns the rows of all pages. `GET /v1/highlvlvpc/get_vpc_list` (docs/contract.md#2.1) */
  getVpcList(arguments_?: GetVpcListArguments, options?: CallOptions): Paged<GetVpcListAnswer, GetVpcListRow>;
  /** Lists VPCs by name and status, in pages. With `for await`, returns the rows of all pages. `GET /v1/highlvlvpc/search_vpc` (docs/contract.md#2.1) */
  searchVpc(arguments_?: SearchVpcArguments, options?: CallOptions): Paged<SearchVpcAnswer, SearchVpcRow>;
  /** Lists the VPCs of a region by name and status, in pages and in an order. With `for await`, returns the rows of all pages. `GET /v2/highlvlvpc/search_vpc` (docs/contract.md#2.1) */
  searchVpcV2(arguments_?: SearchVpcV2Arguments, options?: CallOptions): Paged<SearchVpcV2Answer, SearchVpcV2Row>;
  /** Starts the deletion of a VPC, which ends when no listing shows the VPC. It destroys. `DELETE /v1/highlvlvpc/delete_vpc` (docs/contract.md#2.1) */
  deleteVpc(arguments_: DeleteVpcArguments, options?: CallOptions): Promise<void>;
  /** Creates a subnet of a VPC. `POST /v1/highlvlvpc/create_subnet` (docs/contract.md#2.2) */
  createSubnet(arguments_: CreateSubnetArguments, options?: CallOptions): Promise<CreateSubnetAnswer>;
  /** Lists the subnets of a VPC; the form of the response is not documented. `GET /v1/highlvlvpc/search_subnet` (docs/contract.md#2.2) */
  searchSubnet(arguments_: SearchSubnetArguments, options?: CallOptions): Promise<SearchSubnetAnswer>;
  /** Lists the networks of a VPC. With `for await`, returns the rows of all pages. `GET /v1/highlvlvpc/search_network` (docs/contract.md#2.2) */
  searchNetwork(arguments_: SearchNetworkArguments, options?: CallOptions): Paged<SearchNetworkAnswer, SearchNetworkRow>;
  /** Deletes a subnet other than the primary one, which is deleted with its VPC. It destroys. `DELETE /v1/highlvlvpc/delete_subnet` (docs/contract.md#2.2) */
  deleteSubnet(arguments_: DeleteSubnetArguments, options?: CallOptions): Promise<DeleteSubnetAnswer>;
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
export type CreateVolumeAnswer = {
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
export type GetVolumeAnswer = {
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
export type ListVolumesAnswer = readonly {
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
export type AttachVolumeAnswer = {
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
export type DetachVolumeAnswer = {
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
export type ExtendVolumeAnswer = {
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
export type UpdateVolumeAnswer = {
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
export type ChangeVolumeTypeAnswer = {
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
export type ListVolumeTypesAnswer = readonly unknown[] | { readonly [name: string]: unknown };

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
export type CreateSnapshotAnswer = {
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
export type ListSnapshotsAnswer = readonly {
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
export type GetSnapshotAnswer = {
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
export type UpdateSnapshotAnswer = {
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
export type CreateBackupAnswer = {
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
export type ListBackupsAnswer = readonly {
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
export type GetBackupAnswer = {
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
export interface RestoreBackupArguments {
  /** ID of the VPC of the volume, which is sent as the tenant. */
  readonly vpcId: string;
  /** ID of the backup. */
  readonly backupId: string;
  /** Name of the new volume. */
  readonly name?: string | undefined;
  /** ID of the volume whose content is replaced. */
  readonly volumeId?: string | undefined;
  /** Region of the operation, such as `In-Bangalore-1`. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Response to `restoreBackup`, in the names of the API. */
export type RestoreBackupAnswer = {
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
export type CreateSnapshotPolicyAnswer = {
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
export type CreateBackupPolicyAnswer = {
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
  createVolume(arguments_: CreateVolumeArguments, options?: CallOptions): Promise<CreateVolumeAnswer>;
  /** Returns a volume. `GET /kbs/v1/volumes/{volume}` (docs/contract.md#8) */
  getVolume(arguments_: GetVolumeArguments, options?: CallOptions): Promise<GetVolumeAnswer>;
  /** Lists all volumes of a VPC. With `for await`, returns the rows of all pages. `GET /kbs/v1/volumes` (docs/contract.md#8) */
  listVolumes(arguments_: ListVolumesArguments, options?: CallOptions): Paged<ListVolumesAnswer, ListVolumesRow>;
  /** Starts the deletion of a volume, which ends when the volume is no longer found. It destroys. `DELETE /kbs/v1/volumes/{volume}` (docs/contract.md#8) */
  deleteVolume(arguments_: DeleteVolumeArguments, options?: CallOptions): Promise<void>;
  /** Attaches a volume to an instance. `POST /kbs/v1/volumes/{volume}/action` (docs/contract.md#8) */
  attachVolume(arguments_: AttachVolumeArguments, options?: CallOptions): Promise<AttachVolumeAnswer>;
  /** Detaches a volume from an instance. `POST /kbs/v1/volumes/{volume}/action` (docs/contract.md#8) */
  detachVolume(arguments_: DetachVolumeArguments, options?: CallOptions): Promise<DetachVolumeAnswer>;
  /** Starts the extension of a volume, which cannot be made smaller. `POST /kbs/v1/volumes/{volume}/action` (docs/contract.md#8) */
  extendVolume(arguments_: ExtendVolumeArguments, options?: CallOptions): Promise<ExtendVolumeAnswer>;
  /** Replaces name, description and all labels of a volume. `PUT /kbs/v1/volumes/{volume}` (docs/contract.md#8) */
  updateVolume(arguments_: UpdateVolumeArguments, options?: CallOptions): Promise<UpdateVolumeAnswer>;
  /** Starts the change of the storage type of a volume. `PUT /kbs/v1/volumes/{volume}/change_type` (docs/contract.md#8) */
  changeVolumeType(arguments_: ChangeVolumeTypeArguments, options?: CallOptions): Promise<ChangeVolumeTypeAnswer>;
  /** Lists the storage types of a VPC, as names or as objects. `GET /kbs/v1/volumes/types` (docs/contract.md#8) */
  listVolumeTypes(arguments_: ListVolumeTypesArguments, options?: CallOptions): Promise<ListVolumeTypesAnswer>;
  /** Starts the creation of a snapshot of a volume, which cannot be deleted before its snapshots. `POST /kbs/v1/snapshots` (docs/contract.md#8) */
  createSnapshot(arguments_: CreateSnapshotArguments, options?: CallOptions): Promise<CreateSnapshotAnswer>;
  /** Lists the snapshots of the volumes of a VPC. With `for await`, returns the rows of all pages. `GET /kbs/v1/snapshots` (docs/contract.md#8) */
  listSnapshots(arguments_: ListSnapshotsArguments, options?: CallOptions): Paged<ListSnapshotsAnswer, ListSnapshotsRow>;
  /** Returns a snapshot. `GET /kbs/v1/snapshots/{snapshot}` (docs/contract.md#8) */
  getSnapshot(arguments_: GetSnapshotArguments, options?: CallOptions): Promise<GetSnapshotAnswer>;
  /** Starts the deletion of a snapshot. It destroys. `DELETE /kbs/v1/snapshots/{snapshot}` (docs/contract.md#8) */
  deleteSnapshot(arguments_: DeleteSnapshotArguments, options?: CallOptions): Promise<void>;
  /** Changes name and description of a snapshot. `PUT /kbs/v1/snapshots/{snapshot}` (docs/contract.md#8) */
  updateSnapshot(arguments_: UpdateSnapshotArguments, options?: CallOptions): Promise<UpdateSnapshotAnswer>;
  /** Starts the creation of a backup of a volume, which stays when the volume is deleted. `POST /kbs/v1/backups` (docs/contract.md#8) */
  createBackup(arguments_: CreateBackupArguments, options?: CallOptions): Promise<CreateBackupAnswer>;
  /** Lists the backups of the volumes of a VPC. With `for await`, returns the rows of all pages. `GET /kbs/v1/backups` (docs/contract.md#8) */
  listBackups(arguments_: ListBackupsArguments, options?: CallOptions): Paged<ListBackupsAnswer, ListBackupsRow>;
  /** Returns a backup. `GET /kbs/v1/backups/{backup}` (docs/contract.md#8) */
  getBackup(arguments_: GetBackupArguments, options?: CallOptions): Promise<GetBackupAnswer>;
  /** Starts the deletion of a backup. It destroys. `DELETE /kbs/v1/backups/{backup}` (docs/contract.md#8) */
  deleteBackup(arguments_: DeleteBackupArguments, options?: CallOptions): Promise<void>;
  /** Starts a restore of a backup to a new volume or, with `volumeId`, over the content of an existing one. `POST /kbs/v1/backups/{backup}/restore` (docs/contract.md#8) */
  restoreBackup(arguments_: RestoreBackupArguments, options?: CallOptions): Promise<RestoreBackupAnswer>;
  /** Sets the schedule of the snapshots of a volume. `POST /kbs/v1/volumes/{volume}/snapshots/policy` (docs/contract.md#8) */
  createSnapshotPolicy(arguments_: CreateSnapshotPolicyArguments, options?: CallOptions): Promise<CreateSnapshotPolicyAnswer>;
  /** Removes the schedule of the snapshots of a volume. It destroys. `DELETE /kbs/v1/volumes/{volume}/snapshots/policy` (docs/contract.md#8) */
  deleteSnapshotPolicy(arguments_: DeleteSnapshotPolicyArguments, options?: CallOptions): Promise<void>;
  /** Sets the schedule of the backups of a volume. `POST /kbs/v1/volumes/{volume}/backups/policy` (docs/contract.md#8) */
  createBackupPolicy(arguments_: CreateBackupPolicyArguments, options?: CallOptions): Promise<CreateBackupPolicyAnswer>;
  /** Removes the schedule of the backups of a volume. It destroys. `DELETE /kbs/v1/volumes/{volume}/backups/policy` (docs/contract.md#8) */
  deleteBackupPolicy(arguments_: DeleteBackupPolicyArguments, options?: CallOptions): Promise<void>;
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
export type ActivateSessionAnswer = {
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
export type RefreshSessionAnswer = {
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
export type GetSessionStatusAnswer = {
  readonly expiresAt?: string | null | undefined;
  readonly lastActiveAt?: string | null | undefined;
  readonly createdAt?: string | null | undefined;
  readonly isActive?: boolean | null | undefined;
  readonly [field: string]: unknown;
};

/** Operations of the area `objectSession`. */
export interface ObjectSessionOperations extends ObjectSessionWaiters {
  /** Opens the session of an access key, which ends an earlier one. `POST /kos/v1/sessions/activate` (docs/contract.md#9.5) */
  activateSession(arguments_: ActivateSessionArguments, options?: CallOptions): Promise<ActivateSessionAnswer>;
  /** Extends a session and returns its new tokens. `POST /kos/v1/sessions/refresh/{token}` (docs/contract.md#9.5) */
  refreshSession(arguments_: RefreshSessionArguments, options?: CallOptions): Promise<RefreshSessionAnswer>;
  /** Ends a session. It destroys. `DELETE /kos/v1/sessions/deactivate/{token}` (docs/contract.md#9.5) */
  deactivateSession(arguments_: DeactivateSessionArguments, options?: CallOptions): Promise<void>;
  /** Returns the times of a session, and whether it is active. `GET /kos/v1/sessions/status/{token}` (docs/contract.md#9.5) */
  getSessionStatus(arguments_: GetSessionStatusArguments, options?: CallOptions): Promise<GetSessionStatusAnswer>;
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
export type ListObjectsAnswer = {
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
export type UploadObjectAnswer = {
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
export type DeleteObjectAnswer = {
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
export type DownloadObjectAnswer = {
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
export type PresignObjectAnswer = { readonly [name: string]: unknown };

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
export type GetObjectMetadataAnswer = {
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
export type MoveObjectAnswer = {
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
export type RenameObjectAnswer = {
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
  listObjects(arguments_: ListObjectsArguments, options?: CallOptions): Paged<ListObjectsAnswer, ListObjectsRow>;
  /** Starts the upload of an object and returns the pre-signed URL to which its content is sent; `upload` does both. `PUT /kos/v1/buckets/{bucket}/objects` (docs/contract.md#9.5) */
  uploadObject(arguments_: UploadObjectArguments, options?: CallOptions): Promise<UploadObjectAnswer>;
  /** Deletes an object. It destroys. `POST /kos/v1/buckets/{bucket}/objects/delete` (docs/contract.md#9.5) */
  deleteObject(arguments_: DeleteObjectArguments, options?: CallOptions): Promise<DeleteObjectAnswer>;
  /** Returns a pre-signed URL at which the content of an object can be read; `download` reads it. `POST /kos/v1/buckets/{bucket}/objects/download` (docs/contract.md#9.5) */
  downloadObject(arguments_: DownloadObjectArguments, options?: CallOptions): Promise<DownloadObjectAnswer>;
  /** Returns pre-signed URLs of an object; the form of the response is not documented. `POST /kos/v1/buckets/{bucket}/objects/url` (docs/contract.md#9.5) */
  presignObject(arguments_: PresignObjectArguments, options?: CallOptions): Promise<PresignObjectAnswer>;
  /** Returns size, etag and media type of an object. `POST /kos/v1/buckets/{bucket}/objects/metadata` (docs/contract.md#9.5) */
  getObjectMetadata(arguments_: GetObjectMetadataArguments, options?: CallOptions): Promise<GetObjectMetadataAnswer>;
  /** Moves or copies an object to another key of its bucket. `POST /kos/v1/buckets/{bucket}/objects/move` (docs/contract.md#9.5) */
  moveObject(arguments_: MoveObjectArguments, options?: CallOptions): Promise<MoveObjectAnswer>;
  /** Renames an object: the API copies it to the new key, then deletes the original. `POST /kos/v1/buckets/{bucket}/objects/rename` (docs/contract.md#9.5) */
  renameObject(arguments_: RenameObjectArguments, options?: CallOptions): Promise<RenameObjectAnswer>;
  /** Reads the content of an object at a pre-signed URL. `GET /kos/content/{bucket}/{object}` (docs/contract.md#9.5) */
  getObjectContent(arguments_: GetObjectContentArguments, options?: CallOptions): AsyncIterable<Uint8Array>;
  /** Sends the content of an object to a pre-signed URL. `PUT /kos/content/{bucket}/{object}` (docs/contract.md#9.5) */
  putObjectContent(arguments_: PutObjectContentArguments, options?: CallOptions): Promise<void>;
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
export type CreateInferenceTaskAnswer = {
  readonly id: string | number;
  readonly name?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** Arguments of `listInferenceTasks`. */
export interface ListInferenceTasksArguments {
}

/** Response to `listInferenceTasks`, in the names of the API. */
export type ListInferenceTasksAnswer = readonly {
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
export type GetInferenceTaskAnswer = {
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
export interface ListCheckpointsArguments {
}

/** Response to `listCheckpoints`, in the names of the API. */
export type ListCheckpointsAnswer = readonly (string | {
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
  createInferenceTask(arguments_?: CreateInferenceTaskArguments, options?: CallOptions): Promise<CreateInferenceTaskAnswer>;
  /** Lists IDs and names of the tasks of the user. With `for await`, returns the rows of all pages. `GET /v1/inference/tasks` (docs/contract.md#12) */
  listInferenceTasks(arguments_?: ListInferenceTasksArguments, options?: CallOptions): Paged<ListInferenceTasksAnswer, ListInferenceTasksRow>;
  /** Returns a task with its status and the URL of its service. `GET /v1/inference/tasks/{task}` (docs/contract.md#12) */
  getInferenceTask(arguments_: GetInferenceTaskArguments, options?: CallOptions): Promise<GetInferenceTaskAnswer>;
  /** Cancels a task, although the request is a GET. It destroys. `GET /v1/inference/tasks/{task}/cancel` (docs/contract.md#12) */
  cancelInferenceTask(arguments_: CancelInferenceTaskArguments, options?: CallOptions): Promise<void>;
  /** Lists the names of the fine-tuned checkpoints of the user. With `for await`, returns the rows of all pages. `GET /v1/inference/checkpoints` (docs/contract.md#12) */
  listCheckpoints(arguments_?: ListCheckpointsArguments, options?: CallOptions): Paged<ListCheckpointsAnswer, ListCheckpointsRow>;
  /** Deletes a checkpoint, although the request is a GET. It destroys. `GET /v1/inference/checkpoints/{checkpoint}/del` (docs/contract.md#12) */
  deleteCheckpoint(arguments_: DeleteCheckpointArguments, options?: CallOptions): Promise<void>;
}

/** Operations by area. */
export interface Operations {
  readonly signIn: SignInOperations;
  readonly vpc: VpcOperations;
  readonly volume: VolumeOperations;
  readonly objectSession: ObjectSessionOperations;
  readonly object: ObjectOperations;
  readonly inference: InferenceOperations;
}
