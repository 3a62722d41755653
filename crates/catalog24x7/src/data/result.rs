//! The buffer that the hypervisor answers with.

use super::buffer::{Checker, DecodedBuffer, InterfaceVersion};
use super::request::Request;
use crate::catalog::Catalog;
use crate::diagnostic::{Code, Diagnostic};
use crate::page0::Section;
use crate::raw;
use std::collections::HashMap;

/// The hypervisor's answer to a [`RequestBuffer`](super::RequestBuffer).
#[derive(Clone, Debug, PartialEq, Eq)]
#[doc(alias = "hv_24x7_data_result_buffer")]
pub struct ResultBuffer {
    /// The version of the interface, which determines the length of an element.
    pub version: InterfaceVersion,
    /// The number of results according to the header.
    pub result_count: u8,
    /// Byte 2.
    pub reserved: u8,
    /// The index of the request that failed, if one did.
    #[doc(alias = "failing_request_ix")]
    pub failing_request: u8,
    /// 0, or the reason why the call failed.
    #[doc(alias = "detailed_rc")]
    pub return_code: u32,
    /// Changes whenever the configuration of the machine changes.
    #[doc(alias = "cec_cfg_instance_id")]
    pub configuration: u64,
    /// The version of the catalog that the hypervisor uses.
    #[doc(alias = "catalog_version_num")]
    pub catalog_version: u64,
    /// Bytes 0x18 to 0x1f.
    pub reserved_end: [u8; 8],
    /// The results found in the buffer.
    pub results: Vec<RequestResult>,
}

/// The result of one request.
#[derive(Clone, Debug, PartialEq, Eq)]
#[doc(alias = "hv_24x7_result")]
pub struct RequestResult {
    /// The offset of the result in the buffer, in bytes.
    pub offset: usize,
    /// The index of the request that it answers.
    #[doc(alias = "result_ix")]
    pub request: u8,
    /// 1 if the result contains all elements, 0 if the call must be repeated for the others.
    #[doc(alias = "results_complete")]
    pub complete: u8,
    /// The number of elements according to the result.
    pub element_count: u16,
    /// The number of data bytes in each element.
    #[doc(alias = "result_element_data_size")]
    pub data_size: u16,
    /// Bytes 6 and 7.
    pub reserved: u16,
    /// The elements found in the buffer.
    pub elements: Vec<Element>,
}

/// The counts of one chip, core or virtual CPU.
#[derive(Clone, Debug, PartialEq, Eq)]
#[doc(alias = "hv_24x7_result_element")]
pub struct Element {
    /// The logical partition.
    pub lpar: u16,
    /// The chip, core or virtual CPU.
    pub index: u16,
    /// Changes whenever the configuration of the partition changes; 0xffffffff if there is no partition.
    #[doc(alias = "lpar_cfg_instance_id")]
    pub lpar_configuration: u32,
    /// The thread group, in version 2.
    pub thread_group: Option<u8>,
    /// Bytes 9 to 15, in version 2.
    pub reserved: [u8; 7],
    /// The bytes of the requested range.
    pub data: Box<[u8]>,
}

const HEADER: usize = 32;

impl ResultBuffer {
    /// Decodes a buffer; accepts any bytes and ignores zeros after the last result.
    pub fn decode(bytes: &[u8]) -> DecodedBuffer<ResultBuffer> {
        let mut checker = Checker::new(Section::Result);
        let version = checker.version(bytes, HEADER);
        let header: Option<raw::ResultHeader> = raw::read(bytes);
        let (Some(version), Some(header)) = (version, header) else { return checker.finish(None) };
        let mut buffer = ResultBuffer {
            version,
            result_count: header.count,
            reserved: header.reserved,
            failing_request: header.failing_request,
            return_code: header.return_code,
            configuration: header.configuration,
            catalog_version: header.catalog_version,
            reserved_end: header.reserved_end,
            results: Vec::new(),
        };
        check_header(&mut checker, &buffer);
        let mut seen = [false; 256];
        let mut at = HEADER;
        for index in 0..usize::from(header.count) {
            let Some(result) = read(&mut checker, bytes, at, version, index) else {
                return checker.finish(Some(buffer));
            };
            let again = std::mem::replace(&mut seen[usize::from(result.request)], true);
            check(&mut checker, index, at, &result, again);
            at += 8 + usize::from(result.element_count) * stride(version, result.data_size);
            let whole = result.elements.len() == usize::from(result.element_count);
            buffer.results.push(result);
            if !whole {
                return checker.finish(Some(buffer));
            }
        }
        checker.tail(bytes, at);
        checker.finish(Some(buffer))
    }

    /// Checks the buffer against the requests that it answers and the catalog from which they were made: request indexes, data sizes, and the catalog's version.
    pub fn check(
        &self,
        requests: Option<&[Request]>,
        catalog: Option<&Catalog>,
    ) -> Vec<Diagnostic> {
        let mut checker = Checker::new(Section::Result);
        if let Some(version) = catalog.map(|catalog| catalog.page0.version)
            && version != self.catalog_version
        {
            checker.add(Code::CatalogVersion, None, 0x10, "catalog_version", || {
                let found = self.catalog_version;
                format!("the hypervisor's catalog has version {found}, but this one has version {version}")
            });
        }
        for (index, result) in self.results.iter().enumerate() {
            let Some(requests) = requests else { break };
            match requests.get(usize::from(result.request)) {
                None => {
                    checker.add(Code::RequestNumber, Some(index), result.offset, "request", || {
                        let count = requests.len();
                        format!(
                            "the result answers request {}, but the number of requests is {count}",
                            result.request
                        )
                    })
                }
                Some(request) if request.data_size != result.data_size => {
                    checker.add(
                        Code::SizeDiffers,
                        Some(index),
                        result.offset + 4,
                        "data_size",
                        || {
                            let (asked, found) = (request.data_size, result.data_size);
                            format!("the data size is {found}, but {asked} was requested")
                        },
                    );
                }
                Some(_) => {}
            }
        }
        checker.findings.finish()
    }
}

impl ResultBuffer {
    /// Checks that the counters can be compared with those of an earlier buffer: nothing was reconfigured in between, and the earlier buffer has each element.
    ///
    /// ```
    /// use counterpoint_catalog24x7::Code;
    /// use counterpoint_catalog24x7::data::ResultBuffer;
    ///
    /// let mut bytes = vec![0; 32];
    /// bytes[0] = 1;
    /// let before = ResultBuffer::decode(&bytes).buffer.unwrap();
    /// let after = ResultBuffer { configuration: 2, ..before.clone() };
    /// assert_eq!(after.check_since(&before)[0].code, Code::Configuration);
    /// ```
    pub fn check_since(&self, before: &ResultBuffer) -> Vec<Diagnostic> {
        let mut checker = Checker::new(Section::Result);
        if self.configuration != before.configuration {
            checker.add(Code::Configuration, None, 8, "configuration", || {
                let (was, is) = (before.configuration, self.configuration);
                format!("the configuration of the machine changed from {was} to {is}")
            });
        }
        let earlier: HashMap<_, u32> = before
            .elements()
            .map(|(.., request, element)| (place(request, element), element.lpar_configuration))
            .collect();
        for (index, at, request, element) in self.elements() {
            match earlier.get(&place(request, element)) {
                None => checker.add(Code::NewElement, Some(index), at, "element", || {
                    format!(
                        "the earlier results do not contain index {} of partition {}",
                        element.index, element.lpar
                    )
                }),
                Some(was) if *was != element.lpar_configuration => {
                    checker.add(
                        Code::Configuration,
                        Some(index),
                        at + 4,
                        "lpar_configuration",
                        || {
                            let (lpar, is) = (element.lpar, element.lpar_configuration);
                            format!(
                                "the configuration of partition {lpar} changed from {was} to {is}"
                            )
                        },
                    );
                }
                Some(_) => {}
            }
        }
        checker.findings.finish()
    }

    /// Every element with the index of its result, its offset, and the request that it answers.
    fn elements(&self) -> impl Iterator<Item = (usize, usize, u8, &Element)> {
        self.results.iter().enumerate().flat_map(|(index, result)| {
            let stride = stride(self.version, result.data_size);
            let elements = result.elements.iter().enumerate();
            elements.map(move |(number, element)| {
                (index, result.offset + 8 + number * stride, result.request, element)
            })
        })
    }
}

/// The chip, core or virtual CPU that an element counts.
fn place(request: u8, element: &Element) -> (u8, u16, u16, Option<u8>) {
    (request, element.lpar, element.index, element.thread_group)
}

/// The length of an element.
fn stride(version: InterfaceVersion, data_size: u16) -> usize {
    element_header(version) + usize::from(data_size)
}

fn element_header(version: InterfaceVersion) -> usize {
    match version {
        InterfaceVersion::V1 => 8,
        InterfaceVersion::V2 => 16,
    }
}

/// Reads the result at `at` with the elements that are present; `None` if there is no result.
fn read(
    checker: &mut Checker,
    bytes: &[u8],
    at: usize,
    version: InterfaceVersion,
    index: usize,
) -> Option<RequestResult> {
    let end = bytes.len();
    let raw: Option<raw::RequestResult> = bytes.get(at..).and_then(raw::read);
    let Some(raw) = raw else {
        checker.add(Code::PastBuffer, Some(index), at, "record", || {
            format!("the buffer ends at {end:#x}, inside the result")
        });
        return None;
    };
    let stride = stride(version, raw.data_size);
    let body = bytes.get(at + 8..).unwrap_or_default();
    let elements = body.chunks_exact(stride).take(raw.element_count.into());
    let elements: Vec<Element> = elements.filter_map(|bytes| element(bytes, version)).collect();
    if elements.len() < usize::from(raw.element_count) {
        let (there, count) = (elements.len(), raw.element_count);
        checker.add(Code::ElementsPastBuffer, Some(index), at + 2, "element_count", || {
            format!("{count} elements of {stride} bytes run past the end of the buffer at {end:#x}; only {there} fit")
        });
    }
    for (number, element) in elements.iter().enumerate() {
        checker.reserved(Some(index), at + 8 + number * stride + 9, &element.reserved);
    }
    Some(RequestResult {
        offset: at,
        request: raw.request,
        complete: raw.complete,
        element_count: raw.element_count,
        data_size: raw.data_size,
        reserved: raw.reserved,
        elements,
    })
}

fn element(bytes: &[u8], version: InterfaceVersion) -> Option<Element> {
    let raw: raw::Element = raw::read(bytes)?;
    let group = bytes.get(8..element_header(version))?;
    let (thread_group, reserved) = match group.split_first() {
        Some((group, reserved)) => (Some(*group), reserved.try_into().ok()?),
        None => (None, [0; 7]),
    };
    Some(Element {
        lpar: raw.lpar,
        index: raw.index,
        lpar_configuration: raw.lpar_configuration,
        thread_group,
        reserved,
        data: bytes.get(element_header(version)..)?.into(),
    })
}

fn check_header(checker: &mut Checker, buffer: &ResultBuffer) {
    checker.reserved(None, 2, &[buffer.reserved]);
    if buffer.return_code != 0 {
        checker.add(Code::ReturnCode, None, 4, "return_code", || {
            let (code, request) = (buffer.return_code, buffer.failing_request);
            format!("the call failed with the detailed return code {code:#x}, at request {request}")
        });
    }
    checker.reserved(None, 0x18, &buffer.reserved_end);
}

fn check(checker: &mut Checker, index: usize, at: usize, result: &RequestResult, again: bool) {
    if again {
        checker.add(Code::RepeatedResult, Some(index), at, "request", || {
            format!("request {} already has a result", result.request)
        });
    }
    match result.complete {
        1 => {}
        0 => checker.add(
            Code::Incomplete,
            Some(index),
            at + 1,
            "complete",
            || "more elements exist than the buffer can hold",
        ),
        other => checker.add(Code::Incomplete, Some(index), at + 1, "complete", || {
            format!("the result is marked {other}, neither complete (1) nor incomplete (0)")
        }),
    }
    if result.element_count == 0 {
        checker.add(
            Code::NoElements,
            Some(index),
            at + 2,
            "element_count",
            || "the result of the request is empty",
        );
    }
    checker.data_size(index, at + 4, result.data_size);
    checker.reserved(Some(index), at + 6, &result.reserved.to_be_bytes());
}
