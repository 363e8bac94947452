import type { CallOptions, UploadContent, WaitOptions } from "./option.ts";

/** Methods of the client that are no operations: waiters, uploads and downloads. */

/** Region of an object, if it differs from that of the client. */
export interface Regional {
  /** Region of the object. Default: that of its ID, or of the client. */
  readonly region?: string | undefined;
}

/** Volume to wait for. */
export interface VolumeWait extends Regional {
  /** ID of the VPC of the volume. */
  readonly vpcId: string;
  /** ID of the volume. */
  readonly volumeId: string;
}

/** Volume to wait for, and the instance that it is attached to. */
export interface AttachmentWait extends VolumeWait {
  /** ID of the instance. */
  readonly instanceId: string;
}

/** Volume to wait for, and the instance that it is detached from. */
export interface DetachmentWait extends VolumeWait {
  /** ID of the instance. Default: all instances. */
  readonly instanceId?: string | undefined;
}

/** Instance to wait for: by its ID, its name, or the task that creates it. */
export type InstanceWait = Regional & {
  /** ID of the VPC of the instance. */
  readonly vpcId: string;
} & (
    | {
        /** ID of the instance. */
        readonly instanceKrn: string;
        readonly instanceName?: undefined;
        readonly taskId?: undefined;
      }
    | {
        /** Name of the instance, which no other instance of the VPC has. */
        readonly instanceName: string;
        readonly instanceKrn?: undefined;
        readonly taskId?: undefined;
      }
    | {
        /** ID of the task: `task_id` of the response to `createInstance`. */
        readonly taskId: string;
        readonly instanceKrn?: undefined;
        readonly instanceName?: undefined;
      }
  );

/** Creation of a VPC to wait for. */
export interface VpcCreation extends Regional {
  /** ID of the task: `task_id` of the response to `createVpc`. */
  readonly taskId: string;
}

/** VPC whose deletion is waited for. */
export interface VpcDeletion extends Regional {
  /** ID of the VPC. */
  readonly vpcId: string;
}

/** VPC that a task created. */
export interface CreatedVpc {
  /** ID of the VPC. */
  readonly vpcId: string;
}

/** Instance that a wait found. */
export interface FoundInstance {
  /** ID of the instance. */
  readonly instanceKrn: string;
  /** Status, as the API returns it. */
  readonly status: string;
  /** IP address in the subnet, if the API shows it. */
  readonly ipAddress: string | undefined;
  /** Public IP address, if the instance has one. */
  readonly floatingIpAddress: string | undefined;
  /** ID of the network port, if the API shows it. */
  readonly portKrn: string | undefined;
  /** ID of the boot volume, if the API shows it. */
  readonly volumeId: string | undefined;
}

/** Waiters of VPCs. */
export interface VpcWaiters {
  /** Waits until the task of `createVpc` has created the VPC with its network and subnet, and returns the ID of the VPC. */
  waitUntilCreated(args: VpcCreation, options?: WaitOptions): Promise<CreatedVpc>;
  /** Waits until no listing shows the VPC. */
  waitUntilDeleted(args: VpcDeletion, options?: WaitOptions): Promise<void>;
}

/** Waiters of volumes. */
export interface VolumeWaiters {
  /** Waits until the volume is available, or attached, and returns its status. */
  waitUntilAvailable(args: VolumeWait, options?: WaitOptions): Promise<string>;
  /** Waits until the volume is attached to the instance, and returns the ID of the attachment, which `detachVolume` takes. */
  waitUntilAttached(args: AttachmentWait, options?: WaitOptions): Promise<{ readonly attachmentId: string }>;
  /** Waits until the volume is not attached to the instance or, without `instanceId`, to any instance. */
  waitUntilDetached(args: DetachmentWait, options?: WaitOptions): Promise<void>;
  /** Waits until the volume is no longer found. */
  waitUntilDeleted(args: VolumeWait, options?: WaitOptions): Promise<void>;
}

/** Waiters of instances. Statuses are those of the listing of the VPC. */
export interface InstanceWaiters {
  /** Waits until the instance runs, and returns its ID and its addresses. */
  waitUntilActive(args: InstanceWait, options?: WaitOptions): Promise<FoundInstance>;
  /** Waits until the instance is stopped. */
  waitUntilStopped(args: InstanceWait, options?: WaitOptions): Promise<FoundInstance>;
  /** Waits until no listing shows the instance, whatever its status is until then. */
  waitUntilDeleted(args: InstanceWait, options?: WaitOptions): Promise<void>;
}

/** Waiter of AI pods, by a route that is an assumption. */
export interface AiPodWaiters {
  /** Waits until the pod has one of the statuses, and returns it. Which statuses the API has is not documented. */
  waitUntilStatus(
    args: {
      /** ID of the pod: its KRN, or `pod_id` of the response to `createPod`. */
      readonly podId: string;
      /** Statuses that end the wait, in any case. Default: those of a running pod. */
      readonly statuses?: readonly string[] | undefined;
    },
    options?: WaitOptions,
  ): Promise<string>;
}

/** Waiter of inference tasks. */
export interface InferenceWaiters {
  /** Waits until the task has one of the statuses, and returns it. Which statuses the API has is not documented. */
  waitUntilStatus(
    args: {
      /** ID of the task. */
      readonly taskId: string;
      /** Statuses that end the wait, in any case. */
      readonly statuses: readonly string[];
    },
    options?: WaitOptions,
  ): Promise<string>;
}

/** Waiter of document jobs. */
export interface DocumentWaiters {
  /** Waits until the job is done, and returns the pre-signed URL of its result. */
  waitUntilDone(
    args: {
      /** ID of the job: `data.file_id` of the response to its submission. */
      readonly fileId: string;
    },
    options?: WaitOptions,
  ): Promise<{ readonly address: string | undefined }>;
}

/** Waiter of sessions of the object storage. */
export interface ObjectSessionWaiters {
  /** Waits until the session is active. */
  waitUntilActive(
    args: {
      /** Token of the session. */
      readonly sessionToken: string;
    },
    options?: WaitOptions,
  ): Promise<void>;
}

/** Waiters by area. */
export type Waiters = {
  readonly vpc: VpcWaiters;
  readonly volume: VolumeWaiters;
  readonly instance: InstanceWaiters;
  readonly aiPod: AiPodWaiters;
  readonly inference: InferenceWaiters;
  readonly document: DocumentWaiters;
  readonly objectSession: ObjectSessionWaiters;
};

/** Uploads and downloads of objects. */
export interface ObjectTransfers {
  /**
   * Uploads an object, in the way that the API asks for: to a pre-signed URL, or as a form. An upload whose response is lost is repeated, unless a
   * read shows the content.
   */
  upload(args: ObjectUpload, options?: CallOptions): Promise<void>;
  /** Reads the content of an object as a stream, which throws if the content ends early. */
  download(args: ObjectDownload, options?: CallOptions): AsyncIterable<Uint8Array>;
}

/** Object to upload. */
export interface ObjectUpload {
  /** ID of the bucket. */
  readonly bucketId: string;
  /** Key of the object. */
  readonly key: string;
  /** Content: bytes, a `Blob`, or an object with the path of a file. */
  readonly content: UploadContent;
  /** Media type of the object, such as `text/plain`. */
  readonly contentType?: string | undefined;
  /** If true, an object of the key is not overwritten. Default: `false`. */
  readonly isNew?: boolean | undefined;
  /** Region of the bucket. Default: the region of the client. */
  readonly region?: string | undefined;
}

/** Object to download. */
export interface ObjectDownload {
  /** ID of the bucket. */
  readonly bucketId: string;
  /** Key of the object. */
  readonly key: string;
  /** Region of the bucket. Default: the region of the client. */
  readonly region?: string | undefined;
}
