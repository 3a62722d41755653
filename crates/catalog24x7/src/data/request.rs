//! Requests for counters, and the buffer that has them.

use super::buffer::{BUFFER, Checker, DecodedBuffer, InterfaceVersion};
use crate::diagnostic::Code;
use crate::error::{EncodeError, EncodeErrorKind};
use crate::page0::Section;
use crate::raw;
use crate::records::{Domain, Event, Group};

/// The buffer that requests counters from the hypervisor.
#[derive(Clone, Debug, PartialEq, Eq)]
#[doc(alias = "hv_24x7_request_buffer")]
pub struct RequestBuffer {
    /// The version of the interface, which determines the length of a request.
    pub version: InterfaceVersion,
    /// Bytes 2 to 15.
    pub reserved: [u8; 14],
    /// The requests, at most 255 in version 1 and 127 in version 2.
    pub requests: Vec<Request>,
}

/// A request for a range of a domain's counters on some chips, cores or virtual CPUs of some logical partitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias = "hv_24x7_request")]
pub struct Request {
    /// The domain in which the counters count.
    pub domain: Domain,
    /// Byte 1.
    pub reserved: u8,
    /// The length of the range in bytes, a multiple of 8.
    pub data_size: u16,
    /// The start of the range among the counters of the domain, a multiple of 8.
    pub data_offset: u32,
    /// The first logical partition; [`Request::OWN_LPAR`] is the caller's own. Only virtual domains have partitions.
    #[doc(alias = "starting_lpar_ix")]
    pub first_lpar: u16,
    /// The maximum number of partitions; [`Request::ALL`] for all.
    #[doc(alias = "max_num_lpars")]
    pub max_lpars: u16,
    /// The first chip, core or virtual CPU.
    #[doc(alias = "starting_ix")]
    pub first_index: u16,
    /// The maximum number of chips, cores or virtual CPUs.
    #[doc(alias = "max_ix")]
    pub max_indexes: u16,
    /// The first thread group, in version 2.
    #[doc(alias = "starting_thread_group_ix")]
    pub first_thread_group: u8,
    /// The maximum number of thread groups, in version 2; [`Request::ALL_THREAD_GROUPS`] for all.
    #[doc(alias = "max_num_thread_groups")]
    pub max_thread_groups: u8,
    /// Bytes 0x12 to 0x1f, in version 2.
    pub reserved_end: [u8; 14],
}

impl Request {
    /// Denotes the caller's own partition.
    pub const OWN_LPAR: u16 = 0xffff;
    /// All partitions.
    pub const ALL: u16 = 0xffff;
    /// All thread groups.
    pub const ALL_THREAD_GROUPS: u8 = 0xff;

    /// A request for the counter of an event, on the first chip, core or virtual CPU.
    pub fn of_event(event: &Event) -> Request {
        Request::new(event.domain, event.counter_address(), 8)
    }

    /// A request for the whole record that holds the counter of an event, on the first chip, core or virtual CPU.
    pub fn of_record(event: &Event) -> Request {
        let offset = event.group_record_offset.into();
        Request::new(event.domain, offset, event.group_record_length)
    }

    /// A request for the whole record of a group, on the first chip, core or virtual CPU.
    pub fn of_group(group: &Group) -> Request {
        let offset = group.group_record_offset.into();
        Request::new(group.domain, offset, group.group_record_length)
    }

    /// A request for these bytes of a domain's counters, on the first chip, core or virtual CPU.
    pub fn new(domain: Domain, data_offset: u32, data_size: u16) -> Request {
        let physical = matches!(domain, Domain::CHIP | Domain::CORE);
        Request {
            domain,
            reserved: 0,
            data_size,
            data_offset,
            first_lpar: if physical { 0 } else { Request::OWN_LPAR },
            max_lpars: 1,
            first_index: 0,
            max_indexes: 1,
            first_thread_group: 0,
            max_thread_groups: Request::ALL_THREAD_GROUPS,
            reserved_end: [0; 14],
        }
    }
}

const HEADER: usize = 16;

impl RequestBuffer {
    /// A buffer with these requests.
    pub fn new(version: InterfaceVersion, requests: Vec<Request>) -> RequestBuffer {
        RequestBuffer { version, reserved: [0; 14], requests }
    }

    /// The bytes to pass to the hypervisor.
    ///
    /// # Errors
    /// Returns an error if the requests do not fit in 4096 bytes.
    pub fn encode(&self) -> Result<Vec<u8>, EncodeError> {
        let needed = HEADER + self.requests.len() * stride(self.version);
        let count = u8::try_from(self.requests.len()).ok().filter(|_| needed <= BUFFER);
        let count = count.ok_or(EncodeError {
            section: Section::Request,
            index: None,
            kind: EncodeErrorKind::NoRoom { needed, size: BUFFER },
        })?;
        let version = self.version.number();
        let header = raw::RequestHeader { version, count, reserved: self.reserved };
        let mut bytes = Vec::with_capacity(needed);
        raw::write(&header, &mut bytes);
        for request in &self.requests {
            raw::write(&packed(request), &mut bytes);
            if self.version == InterfaceVersion::V2 {
                let (first, max) = (request.first_thread_group, request.max_thread_groups);
                let reserved = request.reserved_end;
                raw::write(&raw::ThreadGroups { first, max, reserved }, &mut bytes);
            }
        }
        Ok(bytes)
    }

    /// Decodes a buffer; accepts any bytes.
    pub fn decode(bytes: &[u8]) -> DecodedBuffer<RequestBuffer> {
        let mut checker = Checker::new(Section::Request);
        let version = checker.version(bytes, HEADER);
        let header: Option<raw::RequestHeader> = raw::read(bytes);
        let (Some(version), Some(header)) = (version, header) else { return checker.finish(None) };
        checker.reserved(None, 2, &header.reserved);
        let stride = stride(version);
        let count = usize::from(header.count);
        let body = bytes.get(HEADER..).unwrap_or_default();
        let mut requests = Vec::new();
        for (index, bytes) in body.chunks_exact(stride).take(count).enumerate() {
            let Some(request) = unpacked(bytes, version) else { break };
            check(&mut checker, index, HEADER + index * stride, &request);
            requests.push(request);
        }
        let used = HEADER + requests.len() * stride;
        if requests.len() < count {
            let (index, end) = (requests.len(), bytes.len());
            checker.add(Code::PastBuffer, Some(index), used, "record", || {
                format!("the buffer ends at {end:#x}, before request {} of {count}", index + 1)
            });
        } else {
            checker.tail(bytes, used);
        }
        let buffer = RequestBuffer { version, reserved: header.reserved, requests };
        checker.finish(Some(buffer))
    }
}

/// The length of a request.
fn stride(version: InterfaceVersion) -> usize {
    match version {
        InterfaceVersion::V1 => 16,
        InterfaceVersion::V2 => 32,
    }
}

fn packed(request: &Request) -> raw::Request {
    raw::Request {
        domain: request.domain.0,
        reserved: request.reserved,
        data_size: request.data_size,
        data_offset: request.data_offset,
        first_lpar: request.first_lpar,
        max_lpars: request.max_lpars,
        first_index: request.first_index,
        max_indexes: request.max_indexes,
    }
}

fn unpacked(bytes: &[u8], version: InterfaceVersion) -> Option<Request> {
    let raw: raw::Request = raw::read(bytes)?;
    let groups = match version {
        InterfaceVersion::V1 => raw::ThreadGroups::default(),
        InterfaceVersion::V2 => raw::read(bytes.get(16..)?)?,
    };
    Some(Request {
        domain: Domain(raw.domain),
        reserved: raw.reserved,
        data_size: raw.data_size,
        data_offset: raw.data_offset,
        first_lpar: raw.first_lpar,
        max_lpars: raw.max_lpars,
        first_index: raw.first_index,
        max_indexes: raw.max_indexes,
        first_thread_group: groups.first,
        max_thread_groups: groups.max,
        reserved_end: groups.reserved,
    })
}

fn check(checker: &mut Checker, index: usize, at: usize, request: &Request) {
    if !(1..=6).contains(&request.domain.0) {
        checker.add(Code::UnknownDomain, Some(index), at, "domain", || {
            format!("the domain is {}; supported domains are 1 to 6", request.domain.0)
        });
    }
    checker.reserved(Some(index), at + 1, &[request.reserved]);
    checker.data_size(index, at + 2, request.data_size);
    if !request.data_offset.is_multiple_of(8) {
        checker.add(Code::UnalignedOffset, Some(index), at + 4, "data_offset", || {
            format!("the data offset {} is not a multiple of 8", request.data_offset)
        });
    }
    checker.reserved(Some(index), at + 0x12, &request.reserved_end);
}
